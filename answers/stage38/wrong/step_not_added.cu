// refused: wrong-result: the sums of 16 terms are computed, and are not used
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40 --factors integers
// hint: all-zero
#include "answer/linked_answer.cuh"

__device__ void add_products(ColumnSums& /*large*/, ColumnSums& small, const Fragment (&high)[kRows],
                             const Fragment (&low)[kRows], const Fragment& high_b, const Fragment& low_b) {
  ColumnSums of_step = {};
  add_all(of_step, high, high_b);
  add_all(small, low, high_b);
  add_all(small, high, low_b);
}

#include "answer/launch_linked_answer.cuh"
