// refused: step-budget: left + right is above 2^32 - 1, and what remains of it lies in front of both
// SPDX-License-Identifier: MIT
// shown by: --size 101x31 --zeros 2147483647 --block-size 32
// hint: search-endless
// A known library of another language had it for nine years.
#include "answer/without_place_of.cuh"

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  std::uint32_t left = 0, right = n;
  while (left < right) {
    const std::uint32_t middle = (left + right) / 2;
    if (workbook::is_in_front<kBound>(workbook::ordinal_of(keys[middle], kType), query)) {
      left = middle + 1;
    } else {
      right = middle;
    }
  }
  return left;
}
