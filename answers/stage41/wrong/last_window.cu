// refused: wrong-result: the numbers of a window replace those of the windows before
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 75011 --block-size 64 --elements ones --calls 2
// hint: many-tiles
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ T wrong_look_back(State* tiles, Turn turn) {
  T before = identity<T>();
  for (unsigned end = turn.tile;; end -= blockDim.x) {
    const Window<T> window = look_at_window<T>(tiles, end, turn.round);
    before = window.all;
    if (window.is_enough) {
      break;
    }
  }
  return before;
}

#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
