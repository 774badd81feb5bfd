// refused: wrong-result: the first equal key that is met need not be the first of the table
// SPDX-License-Identifier: MIT
// shown by: --size 300x600 --keys short-runs --queries around
// hint: search-equal
#include "answer/without_place_of.cuh"

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  std::uint32_t left = 0, right = n;
  while (left < right) {
    const std::uint32_t middle = left + (right - left) / 2;
    const std::uint32_t key = workbook::ordinal_of(keys[middle], kType);
    if (key == query) {
      return kBound == Bound::lower ? middle : middle + 1;
    }
    if (key < query) {
      left = middle + 1;
    } else {
      right = middle;
    }
  }
  return left;
}
