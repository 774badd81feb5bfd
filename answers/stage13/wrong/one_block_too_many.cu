// refused: not-the-step: one more than the quotient, also where nothing is left over
// SPDX-License-Identifier: MIT
// hint: step-blocks
#include "workbook/student/matrix.h"

#define transpose_on_device right_transpose_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef transpose_on_device

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) {
    return;
  }
  const std::size_t tiles_down = input.rows / block.y + 1;
  const std::size_t tiles_across = input.columns / block.x + 1;
  transpose_elements<<<static_cast<unsigned>(tiles_down * tiles_across), block, 0, stream>>>(
      input, output, static_cast<unsigned>(tiles_down));
  CUDA_CHECK(cudaGetLastError());
}
