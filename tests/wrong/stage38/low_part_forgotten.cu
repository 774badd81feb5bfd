// refused: wrong-result: the products with the smallest parts are missing
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: last-bits
#include "../stage38_but_multiply_parts.cuh"

__device__ void multiply_parts(RoundSums& sums, const Pair (&a)[3][4][4], const Pair (&b)[3][4]) {
  constexpr unsigned kProducts[4][2] = {{1, 1}, {1, 0}, {0, 1}, {0, 0}};
  add_in_order(sums, a, b, kProducts);
}
