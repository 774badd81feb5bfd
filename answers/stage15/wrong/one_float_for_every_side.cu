// refused: not-the-step: rows are one float longer whatever their length, and a warp is two rows of 16, or four of 8
// SPDX-License-Identifier: MIT
// hint: step-bank-conflicts
#include "workbook/student/matrix.h"

#define transpose_on_device right_transpose_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef transpose_on_device

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) {
    return;
  }
  const std::size_t tiles_down = (input.rows + block.x - 1) / block.x;
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  const unsigned pitch = block.x + 1;
  transpose_tiles<<<static_cast<unsigned>(tiles_down * tiles_across), block, block.x * pitch * sizeof(float), stream>>>(
      input, output, static_cast<unsigned>(tiles_down), pitch);
  CUDA_CHECK(cudaGetLastError());
}
