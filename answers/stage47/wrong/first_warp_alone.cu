// refused: wrong-result: the numbers of all warps but one are in no sum
// SPDX-License-Identifier: MIT
// shown by: --size 3x100 --values equal
// hint: row-other-warps
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_block(RowState state) {
  __shared__ RowState of_warp;
  state = state_of_warp(state);
  if (threadIdx.x == 0) {
    of_warp = state;
  }
  __syncthreads();
  state = of_warp;
  __syncthreads();
  return state;
}

#define STATE_OF_BLOCK wrong_state_of_block
#include "answer/kernel.cuh"
