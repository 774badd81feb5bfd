// refused: out-of-bounds: the buffer is sized for the coarsened blocks, the grid for those of stage 04
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// The blocks behind the end add nothing and store their 0, with room for it even harmlessly: the sum would be right
// and the work wasted. Without room they write behind the buffer.
#include <cstddef>
#include <utility>

#include "workbook/reduction.h"

constexpr unsigned kCoarseFactor = 8;

template <unsigned kFactor>
__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];
  const unsigned tid = threadIdx.x;

  const std::size_t segment = std::size_t{blockIdx.x} * kFactor * blockDim.x;
  float sum = 0.0f;
#pragma unroll
  for (unsigned tile = 0; tile < kFactor; ++tile) {
    const std::size_t i = segment + tile * blockDim.x + tid;
    sum += i < n ? input[i] : 0.0f;
  }
  values[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      values[tid] += values[tid + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = values[0];
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

  const std::size_t shared_bytes = block_size * sizeof(float);
  const float* numbers = device_input;
  timer.start();
  do {
    const std::size_t blocks = (n + block_size - 1) / block_size;  // the answer divides by segment_size
    reduce_segments<kCoarseFactor>
        <<<static_cast<unsigned>(blocks), block_size, shared_bytes>>>(numbers, n, partial_sums);
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
