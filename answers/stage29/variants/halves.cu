// SPDX-License-Identifier: MIT
// Variant: always the middle.
// To expect: a step less in the worst case, and more time where the table has 2^k keys. Then the searches of a warp ask
// at multiples of the same power of two. That costs most in a table that fits into the L1 cache.
#include "workbook/student/binary_search.h"

template <workbook::KeyType kType, workbook::Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n);

// Renames the answer's definition, and not its call: there `<kType` follows the name.
#define place_of(...) answer_place_of(__VA_ARGS__)
#include "../solution.cu"
#undef place_of

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  std::uint32_t left = 0, right = n;
  while (left < right) {
    const std::uint32_t middle = left + (right - left) / 2;
    if (workbook::is_in_front<kBound>(workbook::ordinal_of(keys[middle], kType), query)) {
      left = middle + 1;
    } else {
      right = middle;
    }
  }
  return left;
}
