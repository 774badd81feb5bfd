// refused: not-the-step: each thread loads three numbers from global memory: another kernel, and none that is mended
// SPDX-License-Identifier: MIT
// hint: step-requests
#include "workbook/student/neighbours.h"

#define add_neighbours_on_device right_add_neighbours_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef add_neighbours_on_device

__global__ void add_three(const int* input, int* output, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) {
    output[i] = (i > 0 ? input[i - 1] : 0) + input[i] + (i + 1 < n ? input[i + 1] : 0);
  }
}

void add_neighbours_on_device(const int* input, int* output, std::size_t n, unsigned block_size, cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  add_three<<<static_cast<unsigned>((n + block_size - 1) / block_size), block_size, 0, stream>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}
