// refused: out-of-bounds: what is missing in the last tile counts as the smallest of all keys
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-lost
#include "workbook/sort.h"

struct Wrong {};
__device__ std::uint32_t ordinal_at(Wrong, const std::uint32_t* keys, unsigned place, unsigned size,
                                    workbook::KeyType type);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define ordinal_at(...) ordinal_at(Wrong(), __VA_ARGS__)
#include "../stage36_answer.cuh"
#undef ordinal_at

__device__ std::uint32_t ordinal_at(Wrong, const std::uint32_t* keys, unsigned place, unsigned size, KeyType type) {
  return place < size ? workbook::ordinal_of(keys[place], type) : 0;
}
