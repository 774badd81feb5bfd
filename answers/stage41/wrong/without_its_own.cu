// refused: wrong-result: what is published as the sum up to a tile leaves out the tile itself
// SPDX-License-Identifier: MIT
// shown by: --size 20011 --elements ones
// hint: sum-before
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ T wrong_look_back(State* tiles, Turn turn, T own) {
  const unsigned lane = threadIdx.x % kWarp;
  State& mine = tiles[turn.tile];
  if (lane == 0) {
    publish(mine, state_of(turn.round, kOwnIsThere, own));
  }
  T before = identity<T>();
  for (unsigned end = turn.tile;; end -= kWarp) {
    const Window<T> window = look_at_window<T>(tiles, end, turn.round);
    before = combine(window.all, before);
    if (window.is_enough) {
      break;
    }
  }
  if (lane == 0) {
    publish(mine, state_of(turn.round, kUpToIsThere, before));
  }
  return before;
}

#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
