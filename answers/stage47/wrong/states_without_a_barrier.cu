// refused: race: a warp reads the states of warps that have not left them yet
// SPDX-License-Identifier: MIT
// shown by: --size 3x100 --values equal
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_block(RowState state) {
  __shared__ RowState of_warps[kMostWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  state = state_of_warp(state);
  if (lane == 0) {
    of_warps[warp] = state;
  }
  state = state_of_warp(lane < warps ? of_warps[lane] : nothing());
  __syncthreads();
  return state;
}

#define STATE_OF_BLOCK wrong_state_of_block
#include "answer/kernel.cuh"
