// refused: endless-loop: of two places that are left the middle is the first, and left stays where it is
// SPDX-License-Identifier: MIT
// shown by: --size 33x20 --block-size 32
// hint: search-endless
#include "answer/without_place_of.cuh"

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  std::uint32_t left = 0, right = n;
  while (left < right) {
    const std::uint32_t middle = left + (right - left) / 2;
    if (workbook::is_in_front<kBound>(workbook::ordinal_of(keys[middle], kType), query)) {
      left = middle;
    } else {
      right = middle;
    }
  }
  return left;
}
