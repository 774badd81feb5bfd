// SPDX-License-Identifier: MIT
// The answer of stage 38, but its products: it takes the multiply_parts of the file that includes this.
#include "workbook/matmul.h"

using Pair = unsigned;
using RoundSums = float[4][2][4];
__device__ void multiply_parts(RoundSums& sums, const Pair (&a)[3][4][4], const Pair (&b)[3][4]);

// Renames the answer's definition, and not its call: there the first argument is another word.
#define PARTS_RoundSums right_multiply_parts(RoundSums
#define PARTS_of_round multiply_parts(of_round
#define multiply_parts(first, ...) PARTS_##first, __VA_ARGS__)
#include "../../answers/stage38/solution.cu"
#undef multiply_parts
#undef PARTS_of_round
#undef PARTS_RoundSums

// Adds `products`, pairs of parts, in their order.
template <unsigned kCount>
__device__ void add_in_order(RoundSums& sums, const Pair (&a)[3][4][4], const Pair (&b)[3][4],
                             const unsigned (&products)[kCount][2]) {
#pragma unroll
  for (unsigned p = 0; p < kCount; ++p) {
#pragma unroll
    for (unsigned j = 0; j < kPiecesAtOnce; ++j) {
#pragma unroll
      for (unsigned i = 0; i < kPiecesDown; ++i)
        multiply_add(sums[i][j], a[products[p][0]][i], b[products[p][1]] + 2 * j);
    }
  }
}
