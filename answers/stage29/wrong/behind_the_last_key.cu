// refused: out-of-bounds: with <= the search goes on at one place, and at place n there is no key
// SPDX-License-Identifier: MIT
// shown by: --size 1x40
// hint: outside-global
#include "answer/without_place_of.cuh"

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  std::uint32_t left = 0, right = n;
  while (left <= right) {
    const std::uint32_t middle = left + (right - left) / 2;
    if (workbook::is_in_front<kBound>(workbook::ordinal_of(keys[middle], kType), query)) {
      left = middle + 1;
    } else if (middle == 0) {
      break;
    } else {
      right = middle - 1;
    }
  }
  return left;
}
