// SPDX-License-Identifier: MIT
// The scale of each line: a power of two, by its largest number.
#pragma once

#include <cstddef>

#include "pieces.cuh"

/// The exponent of a line's power of two, from the bits of its largest number. It brings that number to between 2^14
/// and 2^15, or less where the number is below 2^-126.
__device__ inline int power_of(unsigned largest) { return 141 - static_cast<int>(min(max(largest >> 23, 1u), 254u)); }

/// 2^exponent, for an exponent from -126 to 127.
__device__ inline float two_to(int exponent) { return __uint_as_float(static_cast<unsigned>(exponent + 127) << 23); }

constexpr unsigned kRowsAtOnce = 8, kRowsOfWarp = 32, kRowsOfBlock = kThreads / kWarp * kRowsOfWarp,
                   kColumnsOfBlock = 4 * kWarp;

/// Finds the largest number of each line. The bits of floats that are not negative have the same order as the floats,
/// and a NaN is above all. Launch: a block for kRowsOfBlock rows of kColumnsOfBlock numbers, as they lie in memory.
/// Rows of A are lines, and columns of B are.
__global__ void __launch_bounds__(kThreads) find_largest(Factor a, Factor b, BlocksOfFactors blocks) {
  const bool by_row = blocks.is_of_a();
  const Factor factor = by_row ? a : b;
  const std::size_t rows = by_row ? factor.lines : factor.terms, columns = by_row ? factor.terms : factor.lines;
  const std::size_t pitch = by_row ? factor.to_next_line : factor.to_next_term;
  const unsigned lane = threadIdx.x % kWarp;
  const std::size_t column = std::size_t{blocks.column()} * kColumnsOfBlock + lane;
  const std::size_t top = std::size_t{blocks.row()} * kRowsOfBlock + threadIdx.x / kWarp * kRowsOfWarp;
  unsigned most[4] = {};  // of four columns; of rows most[0], and lane l has row l
  for (unsigned first = 0; first < kRowsOfWarp; first += kRowsAtOnce) {
    unsigned here[kRowsAtOnce][4];
#pragma unroll
    for (unsigned r = 0; r < kRowsAtOnce; ++r) {
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        const std::size_t row = top + first + r, at = column + i * kWarp;
        here[r][i] = row < rows && at < columns ? __float_as_uint(fabsf(factor.numbers[row * pitch + at])) : 0;
      }
    }
#pragma unroll
    for (unsigned r = 0; r < kRowsAtOnce; ++r) {
      if (by_row) {
        const unsigned of_row = __reduce_max_sync(~0u, max(max(here[r][0], here[r][1]), max(here[r][2], here[r][3])));
        if (lane == first + r) most[0] = of_row;
      } else {
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) most[i] = max(most[i], here[r][i]);
      }
    }
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const std::size_t line = by_row ? top + lane : column + i * kWarp;
    if (most[i] > 0) atomicMax(factor.largest + line, most[i]);  // of lines that do not exist it is 0
  }
}
