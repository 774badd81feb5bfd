// refused: out-of-bounds: the last tile is stored as if it were whole
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: outside-global
#include "workbook/student/sort.h"

template <class Tile, class Element, class ValueAt>
__device__ void store_tile(workbook::Records output, std::size_t begin, int size, const Element* elements,
                           workbook::KeyType writes, ValueAt value_at);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define store_tile(...) right_store_tile(__VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef store_tile

template <class Tile, class Element, class ValueAt>
__device__ void store_tile(Records output, std::size_t begin, int, const Element* elements, KeyType writes,
                           ValueAt value_at) {
  right_store_tile<Tile>(output, begin, Tile::kSize, elements, writes, value_at);
}
