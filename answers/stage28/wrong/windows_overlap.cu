// refused: wrong-result: a window begins at the last tile of the one before it, which counts twice
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 300007 --block-size 256 --hits sixteenth --calls 2
// SPDX-License-Identifier: MIT
// hint: list-count
#include "answer/plain_round.cuh"
#include "answer/without_kernel.cuh"

__device__ unsigned wrong_look_back(Tile* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  Tile& mine = tiles[turn.tile];
  if (lane == 0) {
    publish(mine, turn.round, kOwnIsThere, own);
  }
  unsigned before = 0;
  bool is_enough = false;
  for (unsigned end = turn.tile; !is_enough; end -= kWarp - 1) {
    const Window window = look_at_window(tiles, end, turn.round);
    before += window.hits;
    is_enough = window.is_enough;
  }
  if (lane == 0) {
    publish(mine, turn.round, kUpToIsThere, before + own);
  }
  return before;
}

#define DRAW_TILE draw_with_plain_round
#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
