// refused: wrong-result: the sum still belongs to the old maximum when a larger number comes
// SPDX-License-Identifier: MIT
// shown by: --size 3x2048 --values rising
// hint: row-other-warps
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_with(RowState state, const float (&numbers)[kAtOnce]) {
  for (const float x : numbers) {
    state.max = fmaxf(state.max, x);
  }
  for (const float x : numbers) {
    state.sum += __expf(x - state.max);
  }
  return state;
}

#define WITH wrong_with
#include "answer/kernel.cuh"
