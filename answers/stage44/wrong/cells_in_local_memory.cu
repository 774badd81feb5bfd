// refused: not-the-step: right, but a loop that is not unrolled puts the cells into local memory
// SPDX-License-Identifier: MIT
// hint: step-local-memory
#include "answer/right.cuh"

using namespace right;

__device__ Cells load_in_a_loop(ConstMatrix input, std::size_t top, std::size_t column) {
  Cells cells{};
#pragma unroll 1
  for (unsigned i = 0; i < kRows + 2; ++i) {
    const std::size_t row = top + i - 1;
    if (row < input.rows && column < input.columns) {
      cells.row[i] = *reinterpret_cast<const float4*>(input.data + row * input.pitch + column);
    }
  }
  const bool is_first = threadIdx.x == 0 && column > 0;
  const bool is_last = threadIdx.x == kWarp - 1 && column + kCells < input.columns;
  const std::size_t beside = is_first ? column - 1 : column + kCells;
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
    if (top + i < input.rows && (is_first || is_last)) cells.side[i] = input.data[(top + i) * input.pitch + beside];
  }
  return cells;
}

#define LOAD_CELLS load_in_a_loop
#include "answer/kernel.cuh"
