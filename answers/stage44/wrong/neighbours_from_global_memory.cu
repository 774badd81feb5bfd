// refused: not-the-step: right, but each cell is read five times
// SPDX-License-Identifier: MIT
// hint: step-sectors
#include "answer/right.cuh"

using namespace right;

__global__ void step_cells(ConstMatrix input, Matrix output, float rate) {
  const std::size_t column = std::size_t{blockIdx.x} * kColumns + threadIdx.x;
  for (unsigned i = 0; i < kRows; ++i) {
    const std::size_t row = (std::size_t{blockIdx.y} * blockDim.y + threadIdx.y) * kRows + i;
    for (std::size_t x = column; row < output.rows && x < column + kColumns && x < output.columns; x += kWarp) {
      const float* const at = input.data + row * input.pitch + x;
      const bool is_held = row == 0 || row + 1 == input.rows || x == 0 || x + 1 == input.columns;
      const std::size_t pitch = input.pitch;
      output.data[row * output.pitch + x] =
          is_held ? *at : heated(rate, *at, *(at - 1), *(at + 1), *(at - pitch), *(at + pitch));
    }
  }
}

#define STEP_TILES step_cells
#include "answer/launch.cuh"
