// refused: wrong-result: the last key of the order has no next one, and round the end comes the first
// SPDX-License-Identifier: MIT
// shown by: --size 33x65 --keys equal --queries ends --bound upper
// hint: search-nan
// "The upper bound of a query is the lower bound of the next."
#include "answer/without_place_of.cuh"

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  const std::uint32_t wanted = kBound == Bound::lower ? query : query + 1;
  std::uint32_t left = 0, right = n;
  while (left < right) {
    const std::uint32_t middle = left + (right - left) / 2;
    if (workbook::ordinal_of(keys[middle], kType) < wanted) {
      left = middle + 1;
    } else {
      right = middle;
    }
  }
  return left;
}
