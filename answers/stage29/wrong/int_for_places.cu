// refused: out-of-bounds: above 2^30 keys the sum of two places is negative
// SPDX-License-Identifier: MIT
// shown by: --size 101x31 --zeros 1073741824
// hint: outside-global
#include "answer/without_place_of.cuh"

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  int left = 0, right = static_cast<int>(n);
  while (left < right) {
    const int middle = (left + right) / 2;
    if (workbook::is_in_front<kBound>(workbook::ordinal_of(keys[middle], kType), query)) {
      left = middle + 1;
    } else {
      right = middle;
    }
  }
  return static_cast<std::uint32_t>(left);
}
