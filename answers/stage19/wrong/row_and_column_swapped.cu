// refused: wrong-result: of_a goes with the rows of the square, of_b with its columns
// SPDX-License-Identifier: MIT
// shown by: --size 130x140x20 --block-size 8x8
// hint: two-layouts
// Each thread's square becomes that of another product. It is right for no matrix but a few symmetric ones.
#include "workbook/student/matmul.h"

template <unsigned T>
struct Tiles;
template <unsigned T>
__device__ void add_products(float (&sums)[8][8], const Tiles<T>& tiles);

#define add_products(...) right_add_products(__VA_ARGS__)  // all but what follows is the answer
#include "../solution.cu"
#undef add_products

template <unsigned T>
__device__ void add_products(float (&sums)[kSide][kSide], const Tiles<T>& tiles) {
#pragma unroll
  for (unsigned k = 0; k < Tiles<T>::kTerms; ++k) {
    float of_a[kSide], of_b[kSide];
#pragma unroll
    for (unsigned s = 0; s < kSide; ++s) {
      of_a[s] = tiles.a[threadIdx.y + s * T][k];
      of_b[s] = tiles.b[k][threadIdx.x + s * T];
    }
#pragma unroll
    for (unsigned row = 0; row < kSide; ++row) {
#pragma unroll
      for (unsigned column = 0; column < kSide; ++column) sums[row][column] += of_a[column] * of_b[row];
    }
  }
}
