// refused: wrong-result: what stands behind the end is the first key of all, and pushes real ones out
// SPDX-License-Identifier: MIT
// shown by: --size 33 --block-size 1024
// hint: sort-lost
#include "answer/without_load.cuh"

template <typename Element>
__device__ Element load(workbook::KeyType type, const workbook::ConstRecords& records, std::size_t i, std::size_t n) {
  return i < n ? right::load<Element>(type, records, i, n) : Element{0};
}
