// refused: wrong-result: the large sums stay on the tensor core, which cuts each of them toward zero
// SPDX-License-Identifier: MIT
// shown by: --size 20x24x1000 --factors steep
// hint: sums-cut
#include "answer/linked_answer.cuh"

__device__ void add_products(ColumnSums& large, ColumnSums& small, const Fragment (&high)[kRows],
                             const Fragment (&low)[kRows], const Fragment& high_b, const Fragment& low_b) {
  add_all(large, high, high_b);
  add_all(small, low, high_b);
  add_all(small, high, low_b);
}

#include "answer/launch_linked_answer.cuh"
