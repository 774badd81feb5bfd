// refused: wrong-result: computed for rows that lie T apart, and stored to rows side by side
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x16 --block-size 16x16
// hint: two-layouts
#include "answer/without_store_square.cuh"

template <unsigned T>
__device__ void store_square(workbook::Matrix c, std::size_t top, std::size_t left, const float (&sums)[kSide][kSide]) {
#pragma unroll
  for (unsigned row = 0; row < kSide; ++row) {
#pragma unroll
    for (unsigned column = 0; column < kSide; ++column) {
      const std::size_t i = top + threadIdx.y * kSide + row, j = left + threadIdx.x * kSide + column;
      if (i < c.rows && j < c.columns) c.data[i * c.pitch + j] = sums[row][column];
    }
  }
}
