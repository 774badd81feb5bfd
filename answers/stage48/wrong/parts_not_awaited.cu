// refused: wrong-result: a block takes the words of other blocks before they are there
// SPDX-License-Identifier: MIT
// shown by: --size 2x4096 --block-size 64 --values equal
// hint: row-not-awaited
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_row(Word* words, unsigned parts) {
  __shared__ RowState of_row;
  if (threadIdx.x < kWarp) {
    RowState found = nothing();
    for (unsigned i = threadIdx.x; i < parts; i += kWarp) {
      const Word word = Shared(words[i]).load(cuda::memory_order_relaxed);
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
