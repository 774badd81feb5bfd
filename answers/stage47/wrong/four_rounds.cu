// refused: wrong-result: the rounds end with distance 2, so that a lane has every second number
// SPDX-License-Identifier: MIT
// shown by: --size 3x32 --values equal
// hint: row-lanes
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_warp(RowState state) {
  for (unsigned distance = kWarp / 2; distance > 1; distance /= 2) {
    const RowState other{__shfl_xor_sync(kAll, state.max, distance), __shfl_xor_sync(kAll, state.sum, distance)};
    state = combine(state, other);
  }
  return state;
}

#define STATE_OF_WARP wrong_state_of_warp
#include "answer/kernel.cuh"
