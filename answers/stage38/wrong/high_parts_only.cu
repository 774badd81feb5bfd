// refused: wrong-result: a product in fp16
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: bits-lost
#include "answer/linked_answer.cuh"

__device__ void add_products(ColumnSums& large, ColumnSums&, const Fragment (&high)[kRows], const Fragment (&)[kRows],
                             const Fragment& high_b, const Fragment&) {
  add_rounded(large, high, high_b);
}

#include "answer/launch_linked_answer.cuh"
