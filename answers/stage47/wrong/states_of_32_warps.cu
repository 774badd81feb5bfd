// refused: uninitialised: lanes read states of warps that the block has not
// SPDX-License-Identifier: MIT
// shown by: --size 3x100
// hint: shared-not-written
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_block(RowState state) {
  __shared__ RowState of_warps[kMostWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  state = state_of_warp(state);
  if (lane == 0) {
    of_warps[warp] = state;
  }
  __syncthreads();
  state = state_of_warp(of_warps[lane]);
  __syncthreads();
  return state;
}

#define STATE_OF_BLOCK wrong_state_of_block
#include "answer/kernel.cuh"
