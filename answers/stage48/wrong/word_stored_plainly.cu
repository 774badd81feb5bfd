// refused: race: a plain store beside loads that are atomic
// SPDX-License-Identifier: MIT
// shown by: --size 2x4096 --block-size 64 --values equal
// hint: row-word-plain
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_publish(RowState state, Word* words, unsigned number) {
  if (threadIdx.x == 0) {
    words[number] = word_of(state);
  }
}

#define PUBLISH wrong_publish
#include "answer/kernel.cuh"
