// refused: wrong-result: the cells left of a tile are not loaded
// SPDX-License-Identifier: MIT
// shown by: --size 20x261
// hint: between-tiles
#include "answer/right.cuh"

using namespace right;

__device__ Cells wrong_load_cells(ConstMatrix input, std::size_t top, std::size_t column) {
  Cells cells{};
#pragma unroll
  for (unsigned i = 0; i < kRows + 2; ++i) {
    const std::size_t row = top + i - 1;
    if (row < input.rows && column < input.columns)
      cells.row[i] = *reinterpret_cast<const float4*>(input.data + row * input.pitch + column);
  }
  const bool is_first = false;
  const bool is_last = threadIdx.x == kWarp - 1 && column + kCells < input.columns;
  const std::size_t beside = is_first ? column - 1 : column + kCells;
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
    if (top + i < input.rows && (is_first || is_last)) cells.side[i] = input.data[(top + i) * input.pitch + beside];
  }
  return cells;
}

#define LOAD_CELLS wrong_load_cells
#include "answer/kernel.cuh"
