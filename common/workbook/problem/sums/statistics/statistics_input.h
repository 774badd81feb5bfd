// SPDX-License-Identifier: MIT
// Seeded numbers for sums and other statistics: floats, doubles and ints, difficult for each operation. The same
// arguments give the same bits on every machine: the C++ standard fixes the bits of std::mt19937. The arithmetic after
// it is our own, because the standard does not fix std::uniform_real_distribution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/student/statistics.h"

namespace workbook {

/// The distributions for float and double; [for int].
enum class Numbers : std::uint8_t {
  uniform,         ///< [0, 1) [all ints].
  signed_uniform,  ///< [-1, 1) [all ints].
  exact,           ///< One of -1, 0 or 1: the sum is exact in every order.
  constant,        ///< 0.1 everywhere [7].
  shifted,     ///< Uniform behind 10^6 (float) or 10^8 (double) [10^9 to 10^9 + 15]: a small deviation, a large mean.
  negative,    ///< (-2, -1] [negative ints].
  one_hot,     ///< Zeros and one 1, which shows a lost element.
  infinite,    ///< Infinity everywhere; for the maximum, -infinity [the largest int, or the smallest].
  infinity,    ///< Uniform with one infinity [uniform].
  infinities,  ///< Uniform with one infinity of each sign [uniform].
  nan,         ///< Uniform with one NaN [uniform].
};

// A product of such numbers would soon be 0 or infinite. So for the product, floats and doubles are:
// * uniform, shifted, nan: within 2^-7 of 1. Negative: of -1. For signed_uniform: of 1 or -1. They are closer only
//   where there are more than 2^24. Otherwise products of two would differ from 1 by little more than a rounding. Then
//   roundings would go to one side more often than to the other.
// * exact: 1 or -1, except 64 of them that are twice or half as large. No product of any of them is rounded, and none
//   overflows.
// * constant: -1. The product shows whether n is odd.
//
// Ints are odd, so that their product modulo 2^32 never becomes 0.

/// The name on the command line and in reports: "uniform", "signed", "exact", ...
const char* name_of(Numbers numbers);
std::vector<std::string> numbers_names();  ///< all names, in the order of the enumeration

/// Makes n numbers; T is float, double or int.
template <typename T>
std::vector<T> make_numbers(Numbers numbers, Operation operation, std::size_t n, std::uint32_t seed);

}  // namespace workbook
