// refused: wrong-result: rows and columns behind the last whole block are lost
// SPDX-License-Identifier: MIT
// shown by: --size 100x70x30 --block-size 32x8
// hint: empty-grid
#include "workbook/student/matmul.h"

#define multiply_on_device right_multiply_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef multiply_on_device

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t tiles_across = c.columns / block.x;
  const std::size_t tiles_down = c.rows / block.y;
  multiply_elements<<<static_cast<unsigned>(tiles_across * tiles_down), block, 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}
