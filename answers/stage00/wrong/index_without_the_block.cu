// refused: wrong-result: each block makes the pixels of the first, and nobody makes the others
// SPDX-License-Identifier: MIT
// shown by: --size 64x64
// hint: output-not-written
#include "workbook/student/picture.h"

#define make_negative_on_device right_make_negative_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef make_negative_on_device

__global__ void make_negative_wrongly(const float* input, float* output, std::size_t n) {
  const std::size_t i = threadIdx.x;
  if (i < n) {
    output[i] = workbook::kWhite - input[i];
  }
}

void make_negative_on_device(const float* input, float* output, std::size_t n, unsigned block_size,
                             cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  make_negative_wrongly<<<blocks_for(n, block_size), block_size, 0, stream>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}
