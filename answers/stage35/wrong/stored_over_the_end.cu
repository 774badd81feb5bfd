// refused: out-of-bounds: the last tile is stored as if it were whole
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: outside-global
#include "tile.cuh"

// Comes before the given one, as it is in the namespace of this file.
template <class Tile, class Element, class ValueAt>
__device__ void store_tile(workbook::Records output, std::size_t begin, int, const Element* elements,
                           workbook::KeyType writes, ValueAt value_at) {
  ::store_tile<Tile>(output, begin, Tile::kSize, elements, writes, value_at);
}

#include "answer/small_tiles_answer.cuh"
