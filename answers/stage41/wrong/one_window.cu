// refused: wrong-result: the look back ends with its first window, whatever its tiles know
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 75011 --block-size 64 --elements ones --calls 2
// hint: many-tiles
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ T wrong_look_back(State* tiles, Turn turn) {
  return look_at_window<T>(tiles, turn.tile, turn.round).all;
}

#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
