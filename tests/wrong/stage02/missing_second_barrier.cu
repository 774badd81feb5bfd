// refused: race: no barrier after the sums are written, so the next step reads sums that are not there yet
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// Between two barriers a warp now writes the sums of one step and reads the neighbours of the next. In the plain
// schedule warp 0 reads data[32] for the step of stride 32 before warp 1 has written there its sum of stride 16.
#include <cstddef>
#include <utility>

#include "workbook/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const bool has_neighbour = tid + stride < blockDim.x && i + stride < n;
    const float neighbour = has_neighbour ? data[i + stride] : 0.0f;
    __syncthreads();
    if (has_neighbour) {
      data[i] += neighbour;
    }
    // the trap: no __syncthreads() here
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}

float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer) {
  if (n == 0) return 0.0f;
  const std::size_t first_blocks = (n + block_size - 1) / block_size;
  float* data = nullptr;
  float* partial_sums = nullptr;
  CUDA_CHECK(cudaMalloc(&data, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&partial_sums, first_blocks * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(data, input, n * sizeof(float), cudaMemcpyHostToDevice));

  timer.start();
  do {
    const std::size_t blocks = (n + block_size - 1) / block_size;
    reduce_segments<<<static_cast<unsigned>(blocks), block_size>>>(data, n, partial_sums);
    CUDA_CHECK(cudaGetLastError());
    std::swap(data, partial_sums);
    n = blocks;
  } while (n > 1);
  timer.stop();
  float sum = 0.0f;
  CUDA_CHECK(cudaMemcpy(&sum, data, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(partial_sums));
  CUDA_CHECK(cudaFree(data));
  return sum;
}
