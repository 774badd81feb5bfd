// refused: wrong-result: what is behind the last whole round of the block is left out
// SPDX-License-Identifier: MIT
// shown by: --size 3x100 --values equal
// hint: output-not-written
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_take_row(const float* from, float* to, unsigned columns, unsigned) {
  RowState state = nothing();
  const unsigned whole = columns / blockDim.x * blockDim.x;
  float numbers[kAtOnce];
  for (unsigned first = threadIdx.x; first < whole; first += kAtOnce * blockDim.x) {
    load(numbers, from, first, whole);
    state = with(state, numbers);
  }
  state = state_of_block(state);
  for (unsigned j = threadIdx.x; j < whole; j += blockDim.x) {
    to[j] = __expf(from[j] - state.max) / state.sum;
  }
}

#define TAKE_ROW wrong_take_row
#include "answer/kernel.cuh"
