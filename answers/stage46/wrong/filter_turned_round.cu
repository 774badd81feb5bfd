// refused: wrong-result: the filter is turned round, as mathematics has it
// SPDX-License-Identifier: MIT
// shown by: --size 64x128 --reach 1
// hint: small-filter
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_add_row(Sums& sums, const float* row, unsigned j, unsigned size) {
  float pixels[kVectors][8];
#pragma unroll
  for (unsigned v = 0; v < kVectors; ++v) copy_vector(row + v * kApart + 4 * threadIdx.x, pixels[v], 0);
  for (unsigned i = 0; i < size; i += 4) {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) copy_vector(row + v * kApart + 4 * threadIdx.x + i + 4, pixels[v], 4);
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
      if (j - r < size) {
        const float* const turned = reinterpret_cast<const float*>(weights[size - 1 - (j - r)]);
        const auto weight = [&](unsigned k) { return k < size ? turned[size - 1 - k] : 0.0f; };
        const float4 of_row{weight(i), weight(i + 1), weight(i + 2), weight(i + 3)};
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
