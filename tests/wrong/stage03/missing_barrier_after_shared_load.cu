// refused: race: a quarter of the threads loads for all, and no barrier makes the others wait
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 1000003 --block-size 256
// The missing barrier of missing_barrier_after_load.cu, made visible: here a warp adds numbers that another warp
// loads. In the plain schedule warp 0 runs first and the loads are done in time; in the reverse order the last warp
// adds what the shared memory held before. Needs two warps: block sizes from 64.
#include <cstddef>
#include <utility>

#include "workbook/reduction.h"

__global__ void reduce_segments(const float* input, std::size_t n, float* partial_sums) {
  extern __shared__ float values[];

  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  const std::size_t segment = i - tid;
  for (unsigned k = 4 * tid; k < 4 * tid + 4 && k < blockDim.x; ++k) {
    values[k] = segment + k < n ? input[segment + k] : 0.0f;
  }
  // the trap: no __syncthreads() here

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) {
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
  const std::size_t first_blocks = (n + block_size - 1) / block_size;
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
    const std::size_t blocks = (n + block_size - 1) / block_size;
    reduce_segments<<<static_cast<unsigned>(blocks), block_size, shared_bytes>>>(numbers, n, partial_sums);
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
