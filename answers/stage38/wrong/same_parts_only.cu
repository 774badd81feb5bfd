// refused: wrong-result: each part of A with the same part of B, as in a scalar product
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: bits-lost
#include "answer/linked_answer.cuh"

__device__ void add_products(ColumnSums& large, ColumnSums& small, const Fragment (&high)[kRows],
                             const Fragment (&low)[kRows], const Fragment& high_b, const Fragment& low_b) {
  add_rounded(large, high, high_b);
  add_all(small, low, low_b);
}

#include "answer/launch_linked_answer.cuh"
