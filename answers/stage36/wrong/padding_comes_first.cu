// refused: out-of-bounds: what is missing in the last tile counts as the smallest of all keys
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-lost
#include "answer/linked_answer.cuh"

__device__ std::uint32_t ordinal_at(const std::uint32_t* keys, unsigned place, unsigned size, KeyType type) {
  return place < size ? workbook::ordinal_of(keys[place], type) : 0;
}

#include "answer/launch_linked_answer.cuh"
