// refused: wrong-result: the sum still belongs to the old maximum when a larger number comes
// SPDX-License-Identifier: MIT
// shown by: --size 3x2048 --values rising
// hint: row-other-warps
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_with(RowState state, float x) {
  const float max = fmaxf(state.max, x);
  return {max, state.sum + __expf(x - max)};
}

#define WITH wrong_with
#include "answer/kernel.cuh"
