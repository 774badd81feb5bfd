// refused: race: a fast warp leaves its state of the next row while another one still reads those of this row
// SPDX-License-Identifier: MIT
// shown by: --size 300x40 --block-size 1024
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
  __syncthreads();
  state = state_of_warp(lane < warps ? of_warps[lane] : nothing());
  return state;
}

#define STATE_OF_BLOCK wrong_state_of_block
#include "answer/kernel.cuh"
