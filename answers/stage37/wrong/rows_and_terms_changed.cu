// refused: wrong-result: the second and the third matrix of ldmatrix have changed places: rows for terms
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: all-zero
#include "answer/without_load.cuh"

template <class Tiles>
__device__ void load(Fragments& f, const Tiles& tiles, unsigned slot, unsigned step, const Place& place) {
  right_load(f, tiles, slot, step, place);
  const unsigned lane = threadIdx.x % kWarp, term = step * kPieceTerms;
#pragma unroll
  for (unsigned i = 0; i < kPiecesDown; ++i) {
    const unsigned row = place.row + i * kPieceRows + lane / 16 * 8 + lane % 8;
    load_matrices(f.a[i], &tiles.a[slot][row][term + lane / 8 % 2 * 4]);
  }
}
