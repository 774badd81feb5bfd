// SPDX-License-Identifier: MIT
// Seeded numbers for sums and other statistics: floats, doubles and ints, made for what each operation finds hard. The
// same arguments give the same bits everywhere: std::mt19937, whose bits the C++ standard fixes, and arithmetic of our
// own behind it, as the standard leaves std::uniform_real_distribution to each library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/student/statistics.h"

namespace workbook {

/// What the numbers are, for float and double; [for int].
enum class Numbers : std::uint8_t {
  uniform,         ///< [0, 1) [all ints]
  signed_uniform,  ///< [-1, 1) [all ints]
  exact,           ///< -1, 0 or 1: the sum is exact in every order
  constant,        ///< 0.1 everywhere [7]
  shifted,     ///< uniform behind 10^6 (float) or 10^8 (double) [10^9 to 10^9 + 15]: a small deviation, a large mean
  negative,    ///< (-2, -1] [negative ints]
  one_hot,     ///< zeros and one 1: says which element was lost
  infinite,    ///< infinity everywhere, for the maximum -infinity [the largest int, or the smallest]
  infinity,    ///< uniform with one infinity [uniform]
  infinities,  ///< uniform with one infinity of each sign [uniform]
  nan,         ///< uniform with one NaN [uniform]
};

// A product of such numbers would soon be 0 or infinite. So for the product, where they are float or double,
//   uniform, shifted, nan   lie within 2^-7 of 1; negative: of -1; signed_uniform: of 1 or -1. Not closer, unless there
//                           are more than 2^24: where products of two differ from 1 by little more than a rounding,
//                           roundings fall to one side more often than to the other
//   exact                   are 1 or -1, but for 64 of them that are twice or half as large: no product of any of them
//                           is rounded, and none overflows
//   constant                is -1: the product says whether n is odd
// and ints are odd, so that their product modulo 2^32 never becomes 0.

/// The name on the command line and in reports: "uniform", "signed", "exact", ...
const char* name_of(Numbers numbers);
std::vector<std::string> numbers_names();  ///< of all, in the order of the enumeration

/// n numbers; T is float, double or int.
template <typename T>
std::vector<T> make_numbers(Numbers numbers, Operation operation, std::size_t n, std::uint32_t seed);

}  // namespace workbook
