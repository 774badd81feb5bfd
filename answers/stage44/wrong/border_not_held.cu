// refused: wrong-result: the cells at the border take part, with nothing outside
// SPDX-License-Identifier: MIT
// shown by: --size 20x100
// hint: held
#include "answer/right.cuh"

using namespace right;

__global__ void step_tiles_wrongly(ConstMatrix input, Matrix output, float rate) {
  const auto cell = [&](std::size_t row, std::size_t column) {
    return row < input.rows && column < input.columns ? input.data[row * input.pitch + column] : 0.0f;
  };
  const std::size_t column = std::size_t{blockIdx.x} * kColumns + kCells * threadIdx.x;
  for (unsigned i = 0; i < kRows; ++i) {
    const std::size_t row = (std::size_t{blockIdx.y} * blockDim.y + threadIdx.y) * kRows + i;
    for (std::size_t x = column; row < output.rows && x < column + kCells && x < output.columns; ++x) {
      output.data[row * output.pitch + x] =
          heated(rate, cell(row, x), cell(row, x - 1), cell(row, x + 1), cell(row - 1, x), cell(row + 1, x));
    }
  }
}

#define STEP_TILES step_tiles_wrongly
#include "answer/launch.cuh"
