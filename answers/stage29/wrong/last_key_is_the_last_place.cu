// refused: wrong-result: a query behind the last key has place n, which is no key
// SPDX-License-Identifier: MIT
// shown by: --size 33x65 --queries ends
// hint: search-end
#include "answer/without_place_of.cuh"

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  std::uint32_t left = 0, right = n == 0 ? 0 : n - 1;
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
