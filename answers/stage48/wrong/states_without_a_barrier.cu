// refused: race: a warp reads the states of warps that have not left them yet
// SPDX-License-Identifier: MIT
// shown by: --size 3x2048
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_block(RowState state) {
  __shared__ RowState of_warps[kMostThreads / kWarp];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  state = state_of_warp(state);
  if (lane == 0) {
    of_warps[warp] = state;
  }
  return state_of_warp(lane < warps ? of_warps[lane] : nothing());
}

#define STATE_OF_BLOCK wrong_state_of_block
#include "answer/kernel.cuh"
