// refused: wrong-result: rows and columns behind the last whole block are lost
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8
// hint: empty-grid
#include "workbook/student/matrix.h"

#define transpose_on_device right_transpose_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef transpose_on_device

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  const std::size_t tiles_down = input.rows / block.y;
  const std::size_t tiles_across = input.columns / block.x;
  transpose_elements<<<static_cast<unsigned>(tiles_down * tiles_across), block, 0, stream>>>(
      input, output, static_cast<unsigned>(tiles_down));
  CUDA_CHECK(cudaGetLastError());
}
