// refused: wrong-result: a row of more than 32 parts loses those behind
// SPDX-License-Identifier: MIT
// shown by: --size 1x70001 --block-size 64
// hint: row-other-parts
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_row(Word* words, unsigned parts) {
  __shared__ RowState of_row;
  if (threadIdx.x < kWarp) {
    RowState found = nothing();
    const unsigned i = threadIdx.x;
    if (i < parts) {
      Word word = kNotThere;
      while (word == kNotThere) {
        word = Shared(words[i]).load(cuda::memory_order_relaxed);
      }
      found = combine(found, state_in(word));
    }
    found = state_of_warp(found);
    if (threadIdx.x == 0) {
      of_row = found;
    }
  }
  __syncthreads();
  return of_row;
}

#define STATE_OF_ROW wrong_state_of_row
#include "answer/kernel.cuh"
