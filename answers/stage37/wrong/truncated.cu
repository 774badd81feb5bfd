// refused: wrong-result: nothing is rounded to 11 bits, so that mma cuts the other 13 off
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40 --factors adverse
// hint: cut-not-rounded
#include "answer/without_add_products.cuh"

__device__ void add_products(Sums& sums, const Fragments& f) {
#pragma unroll
  for (unsigned j = 0; j < kPiecesAcross; ++j) {
    const unsigned b[2] = {__float_as_uint(f.b[j / kVector][0][j % kVector]),
                           __float_as_uint(f.b[j / kVector][1][j % kVector])};
#pragma unroll
    for (unsigned i = 0; i < kPiecesDown; ++i) {
      const unsigned a[4] = {__float_as_uint(f.a[i][0]), __float_as_uint(f.a[i][1]), __float_as_uint(f.a[i][2]),
                             __float_as_uint(f.a[i][3])};
      multiply_add(sums[i][j], a, b);
    }
  }
}
