// refused: wrong-result: of a piece of B the first eight columns are taken for the last eight
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40 --factors integers
// hint: bits-lost
#include "answer/linked_answer.cuh"

__device__ void add_products(ColumnSums& large, ColumnSums& small, const Fragment (&high)[kRows],
                             const Fragment (&low)[kRows], const Fragment& high_b, const Fragment& low_b) {
  add_rounded(large, high, high_b);
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
    multiply_add(small[i][0], low[i], high_b, 0);
    multiply_add(small[i][1], low[i], high_b, 0);
  }
  add_all(small, high, low_b);
}

#include "answer/launch_linked_answer.cuh"
