// refused: wrong-result: steps of n / 2, n / 4, ... lose what each division by two drops
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
// hint: search-place
// Without a branch, as it is often shown. It is right for tables of 1, 2, 4, 8, ... keys less one.
#include "answer/without_place_of.cuh"

template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  std::uint32_t place = 0;
  for (std::uint32_t step = (n + 1) / 2; step > 0; step /= 2) {
    const std::uint32_t asked = min(place + step, n) - 1;
    if (n > 0 && workbook::is_in_front<kBound>(workbook::ordinal_of(keys[asked], kType), query)) {
      place = asked + 1;
    }
  }
  return place;
}
