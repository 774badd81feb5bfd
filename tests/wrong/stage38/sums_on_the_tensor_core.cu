// refused: wrong-result: the sums of all rounds stay on the tensor core, which cuts each of them toward zero
// SPDX-License-Identifier: MIT
// shown by: --size 16x24x2100 --factors adverse
// hint: last-bits
#include "../stage38_but_add_round.cuh"

template <bool kWhole>
__device__ void add_round(Sums& sums, const Tiles& tiles, unsigned now, const Place& place, Porter<kWhole>& porter,
                          unsigned stage) {
  const unsigned lane = threadIdx.x % kWarp;
  Pair a[kParts][kPiecesDown][4];
#pragma unroll
  for (unsigned part = 0; part < kParts; ++part) {
#pragma unroll
    for (unsigned i = 0; i < kPiecesDown; ++i) {
      load_matrices(a[part][i], &tiles.parts_of_a[now][part][place.row + i * kPieceRows + lane % 16][lane / 16 * 4]);
    }
  }
#pragma unroll
  for (unsigned share = 0; share < kShares; ++share) {
    Pair b[kParts][4];
    const unsigned pair = (place.column + share * kPiecesAtOnce * kPieceColumns) / 2 + lane / 16 * 4;
#pragma unroll
    for (unsigned part = 0; part < kParts; ++part) {
      load_transposed(b[part], &tiles.parts_of_b[now][part][lane % 16][pair]);
    }
    RoundSums so_far;
#pragma unroll
    for (unsigned e = 0; e < kPiecesDown * kPiecesAtOnce * 4; ++e) {
      so_far[e / 8][e / 4 % 2][e % 4] = sums[e / 8][share * kPiecesAtOnce + e / 4 % 2][e % 4];
    }
    multiply_parts(so_far, a, b);
#pragma unroll
    for (unsigned e = 0; e < kPiecesDown * kPiecesAtOnce * 4; ++e) {
      sums[e / 8][share * kPiecesAtOnce + e / 4 % 2][e % 4] = so_far[e / 8][e / 4 % 2][e % 4];
    }
    porter.split_share(stage, 1 - now, share);
    porter.bring(stage, share);
  }
}
