// refused: wrong-result: two states have two maxima, and their sums are added as if they had one
// SPDX-License-Identifier: MIT
// shown by: --size 3x32 --values random
// hint: row-rescaled
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_combine(RowState first, RowState second) {
  return {fmaxf(first.max, second.max), first.sum + second.sum};
}

#define COMBINE wrong_combine
#include "answer/kernel.cuh"
