// refused: null-pointer: the pointer that is passed for the partial sums never came from cudaMalloc
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: null-pointer
// On a GPU the same store ends the kernel with "an illegal memory access was encountered".
#include <cstddef>
#include <utility>

#include "workbook/student/reduction.h"

__global__ void reduce_segments(float* data, std::size_t n, float* partial_sums) {
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0 && i + stride < n) {
      data[i] += data[i + stride];
    }
    __syncthreads();
  }
  if (tid == 0) {
    partial_sums[blockIdx.x] = data[i];
  }
}

float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer) {
  if (n == 0) return 0.0f;
  float sum = 0.0f;
  float* data = nullptr;
  float* partial_sums = nullptr;
  CUDA_CHECK(cudaMalloc(&data, n * sizeof(float)));
  // Here the answer allocates the partial sums.
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
  CUDA_CHECK(cudaMemcpy(&sum, data, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(partial_sums));
  CUDA_CHECK(cudaFree(data));
  return sum;
}
