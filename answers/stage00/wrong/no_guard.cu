// refused: out-of-bounds: the threads of the tail have no pixel
// SPDX-License-Identifier: MIT
// shown by: --size 1x1003
// hint: outside-global
#include "workbook/student/picture.h"

#define make_negative_on_device right_make_negative_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef make_negative_on_device

__global__ void make_negative_wrongly(const float* input, float* output, std::size_t) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  output[i] = workbook::kWhite - input[i];
}

void make_negative_on_device(const float* input, float* output, std::size_t n, unsigned block_size,
                             cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  make_negative_wrongly<<<blocks_for(n, block_size), block_size, 0, stream>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}
