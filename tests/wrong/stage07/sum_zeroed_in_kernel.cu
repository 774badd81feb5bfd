// refused: race: block 0 sets the sum to 0 while other blocks may have added to it already
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 100003 --block-size 256
// No partial sums and no ticket: each block adds its sum to one number by atomicAdd(). That number must be 0
// before, and "the first block" does that in the same launch. But no block is the first: what others have added by
// then is lost. Set it to 0 in the stream before the launch, by cudaMemsetAsync() (variants/atomic_add.cu).
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workbook/reduction.h"

constexpr unsigned kLoads = 4;

__device__ float4 load_once(const float4* address) {
  float4 value;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
      : "l"(address));
  return value;
}

__device__ float sum_of_warp(float sum) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  return sum;
}

__device__ float sum_of_block(float sum) {
  __shared__ float warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  sum = sum_of_warp(sum);
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  return warp == 0 ? sum_of_warp(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f) : 0.0f;
}

__global__ void __launch_bounds__(1024) reduce_in_one_pass(const float* numbers, std::size_t n, float* total) {
  const unsigned tid = threadIdx.x;
  if (blockIdx.x == 0 && tid == 0) {
    *total = 0.0f;
  }
  const std::size_t past_boundary = reinterpret_cast<std::uintptr_t>(numbers) / sizeof(float) % 4;
  const std::size_t head = min(n, (4 - past_boundary) % 4);
  const std::size_t vector_count = (n - head) / 4;
  const std::size_t tail = (n - head) % 4;
  const float4* const vectors = reinterpret_cast<const float4*>(numbers + head);
  const std::size_t tile_size = kLoads * blockDim.x;

  float4 sums = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (std::size_t tile = blockIdx.x * tile_size; tile < vector_count; tile += gridDim.x * tile_size) {
    float4 loaded[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::size_t i = tile + k * blockDim.x + tid;
      loaded[k] = i < vector_count ? load_once(vectors + i) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      sums.x += loaded[k].x;
      sums.y += loaded[k].y;
      sums.z += loaded[k].z;
      sums.w += loaded[k].w;
    }
  }
  float sum = (sums.x + sums.y) + (sums.z + sums.w);
  if (blockIdx.x == 0) {
    sum += tid < head ? numbers[tid] : 0.0f;
    sum += tid < tail ? numbers[n - 1 - tid] : 0.0f;
  }

  sum = sum_of_block(sum);
  if (tid == 0) {
    atomicAdd(total, sum);
  }
}

unsigned choose_blocks(std::size_t n, unsigned block_size) {
  const std::size_t tile_numbers = std::size_t{4} * kLoads * block_size;
  const std::size_t tiles = (n + tile_numbers - 1) / tile_numbers;
  int device = 0;
  int multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const std::size_t blocks = std::size_t{1024} / block_size * static_cast<std::size_t>(multiprocessors);
  return static_cast<unsigned>(std::min(tiles, tiles > 32 * blocks ? 2 * blocks : blocks));
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  reduce_in_one_pass<<<choose_blocks(n, block_size), block_size, 0, workspace.stream>>>(numbers, n,
                                                                                        workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
