// refused: wrong-result: the parts of B but the largest are left out
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40 --factors adverse
// hint: last-bits
#include "../stage38_but_multiply_parts.cuh"

__device__ void multiply_parts(RoundSums& sums, const Pair (&a)[3][4][4], const Pair (&b)[3][4]) {
  constexpr unsigned kProducts[3][2] = {{2, 0}, {1, 0}, {0, 0}};
  add_in_order(sums, a, b, kProducts);
}
