// refused: wrong-result: each thread subtracts the largest of its own numbers, and not of the row
// SPDX-License-Identifier: MIT
// shown by: --size 3x32 --values random
// hint: row-rescaled
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_take_row(const float* from, float* to, unsigned columns, unsigned) {
  RowState own = nothing();
  float numbers[kAtOnce];
  for (unsigned first = threadIdx.x; first < columns; first += kAtOnce * blockDim.x) {
    load(numbers, from, first, columns);
    own = with(own, numbers);
  }
  const RowState state = state_of_block(own);
  for (unsigned j = threadIdx.x; j < columns; j += blockDim.x) {
    to[j] = __expf(from[j] - own.max) / state.sum;
  }
}

#define TAKE_ROW wrong_take_row
#include "answer/kernel.cuh"
