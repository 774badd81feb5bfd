// refused: wrong-result: no float is less than NaN, and none less than -0 that is not less than 0
// SPDX-License-Identifier: MIT
// shown by: --size 333x50 --type float --keys neighbours --queries ends
// hint: search-nan
// The order that C++ has for floats. It is not that of the table, which has -0 before 0 and NaN at its end.
#include "answer/without_kernel.cuh"

template <KeyType kType, Bound kBound>
__global__ void search_each(const std::uint32_t* keys, std::uint32_t n, const std::uint32_t* queries, std::uint32_t m,
                            std::uint32_t* places) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= m) {
    return;
  }
  if (kType != KeyType::floats) {
    places[j] = place_of<kType, kBound>(workbook::ordinal_of(queries[j], kType), keys, n);
    return;
  }
  const float query = __uint_as_float(queries[j]);
  std::uint32_t left = 0, right = n;
  while (left < right) {
    const std::uint32_t middle = left + (right - left) / 2;
    const float key = __uint_as_float(keys[middle]);
    if (kBound == Bound::lower ? key < query : key <= query) {
      left = middle + 1;
    } else {
      right = middle;
    }
  }
  places[j] = left;
}
