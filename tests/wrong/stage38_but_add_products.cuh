// SPDX-License-Identifier: MIT
// The answer of stage 38, but its products: it takes the add_products of the file that includes this.
#include "workbook/matmul_split.h"

using ColumnSums = float[2][2][4];
template <typename Fragment>
__device__ void add_products(ColumnSums& large, ColumnSums& small, const Fragment (&high)[2], const Fragment (&low)[2],
                             const Fragment& high_b, const Fragment& low_b);

// Renames the answer's definition, and not its call: there the first argument is another word.
#define PRODUCTS_ColumnSums right_add_products(ColumnSums
#define PRODUCTS_large add_products(large
#define add_products(first, ...) PRODUCTS_##first, __VA_ARGS__)
#include "../../answers/stage38/solution.cu"
#undef add_products
#undef PRODUCTS_large
#undef PRODUCTS_ColumnSums

// sums += a * b, of all pieces and both halves.
template <typename Fragment>
__device__ void add_all(ColumnSums& sums, const Fragment (&a)[kRows], const Fragment& b) {
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) multiply_add(sums[i][half], a[i], b, half);
  }
}

// The sums of one step, from 0 on, in float.
template <typename Fragment>
__device__ void add_rounded(ColumnSums& sums, const Fragment (&a)[kRows], const Fragment& b) {
  ColumnSums of_step = {};
  add_all(of_step, a, b);
#pragma unroll
  for (unsigned s = 0; s < kRows * 8; ++s) sums[s / 8][s / 4 % 2][s % 4] += of_step[s / 8][s / 4 % 2][s % 4];
}
