// SPDX-License-Identifier: MIT
// The products of a step without tensor cores, for step 1 of stage 37: slow, and each sum is where mma has it.
#pragma once

#include "fragments.cuh"
#include "shape.cuh"

/// Adds the products of step `step` of the k-tile in `slot` to the sums of this lane.
template <class Tiles>
__device__ void add_plainly(Sums& sums, const Tiles& tiles, unsigned slot, unsigned step, const Place& place) {
  for (unsigned term = step * kPieceTerms; term < (step + 1) * kPieceTerms; ++term) {
    for (unsigned i = 0; i < kPiecesDown; ++i) {
      for (unsigned j = 0; j < kPiecesAcross; ++j) {
        for (unsigned s = 0; s < 4; ++s) {
          const unsigned row = place.row + i * kPieceRows + place.group + s / 2 * 8;
          const unsigned column = place.column + j / 4 * 32 + s % 2 * 16 + place.member * 4 + j % 4;
          sums[i][j][s] += tiles.a[slot][row][term] * tiles.b[slot][term][column];
        }
      }
    }
  }
}
