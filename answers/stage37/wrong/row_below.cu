// refused: race: a lane's last two sums go to the next row of C, and belong to the one eight below
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: two-store-one-element
#include "answer/without_store_sums.cuh"

template <bool kWhole>
__device__ void store_sums(const workbook::Matrix& c, std::size_t top, std::size_t left, const Place& place,
                           const Sums& sums) {
#pragma unroll
  for (unsigned i = 0; i < kPiecesDown; ++i) {
#pragma unroll
    for (unsigned j = 0; j < kPiecesAcross; j += kVector) {
#pragma unroll
      for (unsigned s = 0; s < 4; ++s) {
        store_four(c, top + place.row + i * kPieceRows + place.group + s / 2,
                   left + place.column + j * kPieceColumns + s % 2 * 16 + place.member * 4, kWhole,
                   make_float4(sums[i][j][s], sums[i][j + 1][s], sums[i][j + 2][s], sums[i][j + 3][s]));
      }
    }
  }
}
