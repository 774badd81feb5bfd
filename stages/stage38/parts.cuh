// SPDX-License-Identifier: MIT
// Numbers of 11 bits, two in a word, and the mma of fp16 that multiplies them.
#pragma once

#include <cstddef>

#include "pieces.cuh"

/// By what the low part of a number is multiplied: its exponents are then those of the high part.
constexpr float kShift = 0x1p11f;

/// The two nearest numbers of 11 bits.
__device__ inline Pair pair_of(float first, float second) {
  Pair pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}

/// The numbers of a pair, as floats.
__device__ inline float value_of_first(Pair pair) {
  float value;
  asm("{.reg .b16 first, second; mov.b32 {first, second}, %1; cvt.f32.f16 %0, first;}" : "=f"(value) : "r"(pair));
  return value;
}
__device__ inline float value_of_second(Pair pair) { return value_of_first(pair >> 16); }

/// sums += a * b, by all lanes of the warp together: 16 rows of a, and of the 16 columns of b those of one half (0 or
/// 1).
__device__ inline void multiply_add(float (&sums)[4], const Fragment& a, const Fragment& b, unsigned half) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a.pairs[0]), "r"(a.pairs[1]), "r"(a.pairs[2]), "r"(a.pairs[3]), "r"(b.pairs[2 * half]),
        "r"(b.pairs[2 * half + 1]));
}

/// The sums that a lane has: of the pieces of a warp that lie above each other, [piece][half][sum].
using ColumnSums = float[kRows][2][4];
/// Those of all pieces of a warp.
using Sums = ColumnSums[kColumns];

/// An element in float: 16 terms, and then these sums. That is no further from the exact one than what tensor cores
/// give.
inline __device__ __noinline__ float in_float(const float* row, const float* column, std::size_t to_next,
                                              std::size_t terms) {
  float sum = 0.0f;
  for (std::size_t first = 0; first < terms; first += kSide) {
    float of_some = 0.0f;
    for (std::size_t k = first; k < min(first + kSide, terms); ++k) of_some += row[k] * column[k * to_next];
    sum += of_some;
  }
  return sum;
}
