// refused: wrong-result: a row of more than 32 parts loses those behind
// SPDX-License-Identifier: MIT
// shown by: --size 1x70001 --block-size 64
// hint: row-other-parts
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_parts(RowState state, Word* words, unsigned part, unsigned parts) {
  using Shared = cuda::atomic_ref<Word, cuda::thread_scope_device>;
  __shared__ RowState of_row;
  if (threadIdx.x == 0) {
    Shared(words[part]).store(word_of(state), cuda::memory_order_relaxed);
  }
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

#define STATE_OF_PARTS wrong_state_of_parts
#include "answer/kernel.cuh"
