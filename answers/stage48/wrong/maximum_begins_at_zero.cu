// refused: wrong-result: a thread whose numbers are all far below 0 has the maximum 0
// SPDX-License-Identifier: MIT
// shown by: --size 3x32 --values rising
// hint: row-first-maximum
#include "answer/right.cuh"

using namespace right;

struct FromZero : Softmax {
  template <unsigned kCount>
  static __device__ RowState take(float (&numbers)[kCount]) {
    RowState state{0.0f, 0.0f};
    for (const float x : numbers) {
      state.max = fmaxf(state.max, x);
    }
    for (float& x : numbers) {
      x = __expf(x - state.max);
      state.sum += x;
    }
    return state;
  }
};

#define SOFTMAX FromZero
#include "answer/kernel.cuh"
