// refused: race: a plain store beside loads that are atomic
// SPDX-License-Identifier: MIT
// shown by: --size 2x4096 --block-size 64 --values equal
// hint: race-between-blocks
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_parts(RowState state, Word* words, unsigned part, unsigned parts) {
  using Shared = cuda::atomic_ref<Word, cuda::thread_scope_device>;
  __shared__ RowState of_row;
  if (threadIdx.x == 0) {
    words[part] = word_of(state);
  }
  if (threadIdx.x < kWarp) {
    RowState found = nothing();
    for (unsigned i = threadIdx.x; i < parts; i += kWarp) {
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
