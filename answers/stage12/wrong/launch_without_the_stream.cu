// refused: stream-order: the input comes in the caller's stream, and the kernel, in the default stream, does not wait
// SPDX-License-Identifier: MIT
// shown by: --cases quick
// hint: other-stream
// The fourth value of <<<>>> is left out: the default stream. In a program of one's own it mostly is the only one.
#include "workbook/student/matrix.h"

#define copy_on_device right_copy_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef copy_on_device

void copy_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t) {
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  const std::size_t tiles_down = (input.rows + block.y - 1) / block.y;
  copy_vectors<float>
      <<<static_cast<unsigned>(tiles_across * tiles_down), block>>>(input, output, static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}
