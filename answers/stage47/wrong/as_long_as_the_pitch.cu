// refused: wrong-result: the gap between two rows is in the sum
// SPDX-License-Identifier: MIT
// shown by: --size 3x20 --padding 3 --output-padding 7
// hint: row-nan
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_take_row(const float* from, float* to, unsigned columns, unsigned pitch) {
  RowState state = nothing();
  float numbers[kAtOnce];
  for (unsigned first = threadIdx.x; first < pitch; first += kAtOnce * blockDim.x) {
    load(numbers, from, first, pitch);
    state = with(state, numbers);
  }
  state = state_of_block(state);
  for (unsigned j = threadIdx.x; j < columns; j += blockDim.x) {
    to[j] = __expf(from[j] - state.max) / state.sum;
  }
}

#define TAKE_ROW wrong_take_row
#include "answer/kernel.cuh"
