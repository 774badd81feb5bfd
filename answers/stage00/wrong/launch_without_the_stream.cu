// refused: stream-order: the input comes in the caller's stream, and the kernel, in the default stream, does not wait
// SPDX-License-Identifier: MIT
// shown by: --cases quick
// hint: other-stream
#include "workbook/student/picture.h"

#define make_negative_on_device right_make_negative_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef make_negative_on_device

void make_negative_on_device(const float* input, float* output, std::size_t n, unsigned block_size, cudaStream_t) {
  if (n == 0) {
    return;
  }
  make_negative<<<blocks_for(n, block_size), block_size>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}
