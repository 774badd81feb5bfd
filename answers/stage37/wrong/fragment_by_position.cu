// refused: wrong-result: a lane takes the four numbers of A that would be its own if lanes had neighbours
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
#pragma unroll
    for (unsigned w = 0; w < 4; ++w) {
      f.a[i][w] = tiles.a[slot][place.row + i * kPieceRows + lane / 2][term + lane % 2 * 4 + w];
    }
  }
}
