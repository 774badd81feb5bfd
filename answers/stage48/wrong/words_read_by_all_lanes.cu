// refused: wrong-result: the lanes have a part each, and none takes those of the others
// SPDX-License-Identifier: MIT
// shown by: --size 2x4096 --block-size 64 --values equal
// hint: row-other-parts
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_row(Word* words, unsigned parts) {
  __shared__ RowState of_row;
  if (threadIdx.x < kWarp) {
    RowState found = nothing();
    for (unsigned i = threadIdx.x; i < parts; i += kWarp) {
      Word word = kNotThere;
      while (word == kNotThere) {
        word = Shared(words[i]).load(cuda::memory_order_relaxed);
      }
      found = combine(found, state_in(word));
    }
    if (threadIdx.x == 0) {
      of_row = found;
    }
  }
  __syncthreads();
  return of_row;
}

#define STATE_OF_ROW wrong_state_of_row
#include "answer/kernel.cuh"
