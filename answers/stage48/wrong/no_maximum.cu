// refused: wrong-result: exp(x) without a maximum is above the largest float for x = 100
// SPDX-License-Identifier: MIT
// shown by: --size 3x32 --values peak
// hint: row-overflow
#include "answer/right.cuh"

using namespace right;

struct Plain : Softmax {
  template <unsigned kCount>
  static __device__ RowState take(float (&numbers)[kCount]) {
    RowState state{0.0f, 0.0f};
    for (float& x : numbers) {
      x = __expf(x);
      state.sum += x;
    }
    return state;
  }
};

#define SOFTMAX Plain
#include "answer/kernel.cuh"
