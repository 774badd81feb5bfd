// refused: out-of-bounds: whether the square's first element exists says nothing of the other 63
// SPDX-License-Identifier: MIT
// shown by: --size 130x140x20 --block-size 16x16
// hint: outside-global
#include "answer/without_store_square.cuh"

template <unsigned T>
__device__ void store_square(workbook::Matrix c, std::size_t top, std::size_t left, const float (&sums)[kSide][kSide]) {
#pragma unroll
  for (unsigned row = 0; row < kSide; ++row) {
#pragma unroll
    for (unsigned column = 0; column < kSide; ++column) {
      const std::size_t i = top + threadIdx.y + row * T, j = left + threadIdx.x + column * T;
      if (top + threadIdx.y < c.rows && left + threadIdx.x < c.columns) c.data[i * c.pitch + j] = sums[row][column];
    }
  }
}
