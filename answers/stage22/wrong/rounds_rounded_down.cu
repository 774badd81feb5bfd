// refused: wrong-result: the terms of the last k-tile are lost where it has not all of them
// SPDX-License-Identifier: MIT
// shown by: --size 40x70x70
// hint: divided-by-zero
#define WRONG make_partition<Small>
#include "answer/without_one_function.cuh"

template <class Shape>
WorkPartition make_partition(const workbook::Matrix& c, std::size_t terms) {
  WorkPartition work = right_make_partition<Shape>(c, terms);
  work.k_tiles = terms / Shape::kTileTerms;
  work.cut_into(work.k_tiles);
  return work;
}
