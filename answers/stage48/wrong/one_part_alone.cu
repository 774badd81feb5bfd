// refused: wrong-result: each block divides by the sum of one part
// SPDX-License-Identifier: MIT
// shown by: --size 2x4096 --block-size 64 --values equal
// hint: row-other-parts
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_row(Word* words, unsigned parts) {
  __shared__ RowState of_row;
  if (threadIdx.x == 0) {
    Word word = kNotThere;
    while (word == kNotThere) {
      word = Shared(words[blockIdx.x % parts]).load(cuda::memory_order_relaxed);
    }
    of_row = state_in(word);
  }
  __syncthreads();
  return of_row;
}

#define STATE_OF_ROW wrong_state_of_row
#include "answer/kernel.cuh"
