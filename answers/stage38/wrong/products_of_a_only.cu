// refused: wrong-result: the low parts of B are left out
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40 --factors halfway
// hint: last-bits
#include "answer/linked_answer.cuh"

__device__ void add_products(ColumnSums& large, ColumnSums& small, const Fragment (&high)[kRows],
                             const Fragment (&low)[kRows], const Fragment& high_b, const Fragment&) {
  add_rounded(large, high, high_b);
  add_all(small, low, high_b);
}

#include "answer/launch_linked_answer.cuh"
