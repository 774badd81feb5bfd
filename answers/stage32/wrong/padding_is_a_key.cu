// refused: wrong-result: behind the end stands the last key with value 0, in front of real ones
// SPDX-License-Identifier: MIT
// shown by: --size 2500 --distribution padding --values places --block-size 1024
// hint: sort-value
#define WRONG_ELEMENT Pair
#include "answer/without_load.cuh"

template <typename Element>
__device__ Element load(workbook::KeyType type, const workbook::ConstRecords& records, std::size_t i, std::size_t n) {
  Element element = 0xffffffffu;
  if (i < n) {
    element = workbook::ordinal_of(records.keys[i], type);
  }
  if constexpr (sizeof(Element) == sizeof(Pair)) {
    element = element << 32 | (i < n ? records.values[i] : 0);
  }
  return element;
}
