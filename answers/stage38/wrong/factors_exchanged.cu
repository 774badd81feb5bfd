// refused: wrong-result: an mma takes a fragment of B for that of A, and one of A for that of B
// SPDX-License-Identifier: MIT
// shown by: --size 1x2x1 --factors places
// hint: some-zero
#include "answer/linked_answer.cuh"

__device__ void add_products(ColumnSums& large, ColumnSums& small, const Fragment (&high)[kRows],
                             const Fragment (&low)[kRows], const Fragment& high_b, const Fragment& low_b) {
  ColumnSums of_step = {};
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) multiply_add(of_step[i][half], high_b, high[i], half);
  }
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned s = 0; s < 8; ++s) large[i][s / 4][s % 4] += of_step[i][s / 4][s % 4];
  }
  add_all(small, low, high_b);
  add_all(small, high, low_b);
}

#include "answer/launch_linked_answer.cuh"
