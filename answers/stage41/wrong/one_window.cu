// refused: wrong-result: the look back ends with its first window of 32 tiles, whatever they know
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 75011 --elements ones --calls 2
// hint: many-tiles
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
  before = look_at_window<T>(tiles, turn.tile, turn.round).all;
  if (lane == 0) {
    publish(mine, state_of(turn.round, kUpToIsThere, combine(before, own)));
  }
  return before;
}

#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
