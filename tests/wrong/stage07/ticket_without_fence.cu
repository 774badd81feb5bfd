// refused: race: the ticket is taken without releasing the partial sum, which may arrive after it
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// The addition is atomic, but relaxed: it orders nothing around it. Another SM may see the ticket and not yet the
// partial sum that was stored before it. A plain atomicAdd() is relaxed as well. On a GPU the sum is nearly always
// right, so only a race checker refuses it; either a __threadfence() before the addition and another one after it,
// or memory_order_acq_rel, makes it right.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

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

__global__ void __launch_bounds__(1024)
    reduce_in_one_pass(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  const unsigned tid = threadIdx.x;
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
  if (tid >= 32) {
    return;
  }

  cuda::atomic_ref<unsigned, cuda::thread_scope_device> tickets(*ticket);
  unsigned tickets_before = 0;
  if (tid == 0) {
    partial_sums[blockIdx.x] = sum;
    tickets_before = tickets.fetch_add(1, cuda::memory_order_relaxed);
  }
  __syncwarp();
  if (__shfl_sync(0xffffffffu, tickets_before, 0) + 1 < gridDim.x) {
    return;
  }
  float total = 0.0f;
  for (unsigned block = tid; block < gridDim.x; block += 32) {
    total += partial_sums[block];
  }
  total = sum_of_warp(total);
  if (tid == 0) {
    partial_sums[0] = total;
    tickets.store(0, cuda::memory_order_relaxed);
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
  reduce_in_one_pass<<<choose_blocks(n, block_size), block_size, 0, workspace.stream>>>(
      numbers, n, workspace.partial_sums, workspace.ticket);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
