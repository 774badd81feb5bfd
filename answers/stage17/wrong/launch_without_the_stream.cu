// refused: stream-order: A and B come in the caller's stream; the kernel, in the default stream, does not wait
// SPDX-License-Identifier: MIT
// shown by: --cases quick
// hint: other-stream
// A program of one's own mostly uses the default stream alone, and then nothing shows.
#include "workbook/student/matmul.h"

#define multiply_on_device right_multiply_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef multiply_on_device

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t tiles_across = (c.columns + block.x - 1) / block.x;
  const std::size_t tiles_down = (c.rows + block.y - 1) / block.y;
  multiply_elements<<<static_cast<unsigned>(tiles_across * tiles_down), block>>>(a, b, c,
                                                                                 static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}
