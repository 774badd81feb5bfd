// refused: wrong-result: the pixels behind the last whole block are lost
// SPDX-License-Identifier: MIT
// shown by: --size 1x1003
// hint: empty-grid
#include "workbook/student/picture.h"

#define make_negative_on_device right_make_negative_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef make_negative_on_device

void make_negative_on_device(const float* input, float* output, std::size_t n, unsigned block_size,
                             cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  make_negative<<<static_cast<unsigned>(n / block_size), block_size, 0, stream>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}
