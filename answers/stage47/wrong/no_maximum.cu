// refused: wrong-result: exp(x) without a maximum is above the largest float for x = 100
// SPDX-License-Identifier: MIT
// shown by: --size 3x32 --values peak
// hint: row-overflow
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_with(RowState state, const float (&numbers)[kAtOnce]) {
  for (const float x : numbers) {
    state.sum += __expf(x);
  }
  return {0.0f, state.sum};
}

#define WITH wrong_with
__device__ RowState wrong_nothing() { return {0.0f, 0.0f}; }

#define NOTHING wrong_nothing
#include "answer/kernel.cuh"
