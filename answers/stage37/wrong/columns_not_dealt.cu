// refused: wrong-result: C is stored as if each piece had eight columns side by side
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: wrong-at-the-edge
#include "answer/without_store_sums.cuh"

template <bool kWhole>
__device__ void store_sums(const workbook::Matrix& c, std::size_t top, std::size_t left, const Place& place,
                           const Sums& sums) {
#pragma unroll
  for (unsigned i = 0; i < kPiecesDown; ++i) {
#pragma unroll
    for (unsigned j = 0; j < kPiecesAcross; ++j) {
#pragma unroll
      for (unsigned s = 0; s < 4; ++s) {
        const std::size_t row = top + place.row + i * kPieceRows + place.group + s / 2 * 8;
        const std::size_t column = left + place.column + j * kPieceColumns + place.member * 2 + s % 2;
        if (row < c.rows && column < c.columns) c.data[row * c.pitch + column] = sums[i][j][s];
      }
    }
  }
}
