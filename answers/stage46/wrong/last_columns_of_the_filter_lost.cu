// refused: wrong-result: columns of the filter behind the last four are left out
// SPDX-License-Identifier: MIT
// shown by: --size 64x128 --reach 2
// hint: small-filter
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_add_row(Sums& sums, const float* row, unsigned j, unsigned size) {
  float pixels[kVectors][8];
#pragma unroll
  for (unsigned v = 0; v < kVectors; ++v) copy_vector(row + v * kApart + 4 * threadIdx.x, pixels[v], 0);
  for (unsigned i = 0; i + 4 <= size; i += 4) {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) copy_vector(row + v * kApart + 4 * threadIdx.x + i + 4, pixels[v], 4);
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
      if (j - r < size) {
        const float4 of_row = weights[j - r][i / 4];
#pragma unroll
        for (unsigned v = 0; v < kVectors; ++v) multiply_add(sums.of[r][v], of_row, pixels[v]);
      }
    }
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
#pragma unroll
      for (unsigned c = 0; c < 4; ++c) pixels[v][c] = pixels[v][c + 4];
    }
  }
}

#define ADD_ROW wrong_add_row
#include "answer/kernel.cuh"
