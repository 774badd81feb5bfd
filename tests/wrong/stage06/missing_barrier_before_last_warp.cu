// refused: race: warp 0 reads values[tid + 32] with no barrier after warp 1 has added there
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// The barrier after the step of stride 64 looks like one of the last warp's, but warp 1 takes part in that step. In
// the plain schedule warp 0 goes on and adds numbers that warp 1 has not finished. Block sizes from 128.
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "workbook/reduction.h"

constexpr unsigned kCoarseFactor = 8;

template <unsigned kBlockSize, unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  __shared__ float values[kBlockSize];
  const unsigned tid = threadIdx.x;

  const std::size_t segment = std::size_t{blockIdx.x} * kFactor * kBlockSize;
  float sum = 0.0f;
#pragma unroll
  for (unsigned tile = 0; tile < kFactor; ++tile) {
    const std::size_t i = segment + tile * kBlockSize + tid;
    sum += i < n ? input[i] : 0.0f;
  }
  values[tid] = sum;
  __syncthreads();

#pragma unroll
  for (unsigned stride = kBlockSize / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    if (stride > 64) {
      __syncthreads();  // the trap: none after the last step in shared memory
    }
  }

  if (tid < 32) {
    float warp_sum = values[tid];
    if constexpr (kBlockSize > 32) {
      warp_sum += values[tid + 32];
    }
#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2) {
      warp_sum += __shfl_down_sync(0xffffffffu, warp_sum, offset);
    }
    if (tid == 0) {
      partial_sums[blockIdx.x] = warp_sum;
    }
  }
}

void launch(unsigned blocks, unsigned block_size, const float* numbers, std::size_t n, float* partial_sums) {
  switch (block_size) {
    case 32:
      return reduce_segments<32, kCoarseFactor><<<blocks, 32>>>(numbers, n, partial_sums);
    case 64:
      return reduce_segments<64, kCoarseFactor><<<blocks, 64>>>(numbers, n, partial_sums);
    case 128:
      return reduce_segments<128, kCoarseFactor><<<blocks, 128>>>(numbers, n, partial_sums);
    case 256:
      return reduce_segments<256, kCoarseFactor><<<blocks, 256>>>(numbers, n, partial_sums);
    case 512:
      return reduce_segments<512, kCoarseFactor><<<blocks, 512>>>(numbers, n, partial_sums);
    case 1024:
      return reduce_segments<1024, kCoarseFactor><<<blocks, 1024>>>(numbers, n, partial_sums);
    default:
      throw std::invalid_argument("the block size must be a power of two from 32 to 1024");
  }
}

float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer) {
  if (n == 0) return 0.0f;

  const std::size_t segment_size = std::size_t{kCoarseFactor} * block_size;
  const std::size_t first_blocks = (n + segment_size - 1) / segment_size;
  float* device_input = nullptr;
  float* partial_sums = nullptr;
  float* next_partial_sums = nullptr;
  CUDA_CHECK(cudaMalloc(&device_input, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&partial_sums, first_blocks * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&next_partial_sums, first_blocks * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(device_input, input, n * sizeof(float), cudaMemcpyHostToDevice));

  const float* numbers = device_input;
  timer.start();
  do {
    const std::size_t blocks = (n + segment_size - 1) / segment_size;
    launch(static_cast<unsigned>(blocks), block_size, numbers, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    numbers = partial_sums;
    std::swap(partial_sums, next_partial_sums);
    n = blocks;
  } while (n > 1);
  timer.stop();
  float sum = 0.0f;
  CUDA_CHECK(cudaMemcpy(&sum, numbers, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(next_partial_sums));
  CUDA_CHECK(cudaFree(partial_sums));
  CUDA_CHECK(cudaFree(device_input));
  return sum;
}
