// refused: wrong-result: what is no whole tile below the others has no block
// SPDX-License-Identifier: MIT
// shown by: --size 40x70x70
// hint: empty-grid
// Right where C is made of whole tiles.
#define WRONG make_partition<Small>
#include "answer/without_one_function.cuh"

template <class Shape>
WorkPartition make_partition(const workbook::Matrix& c, std::size_t terms) {
  WorkPartition work = right_make_partition<Shape>(c, terms);
  work.tiles_down = static_cast<int>(c.rows / Shape::kHeight);
  work.cut_into(work.k_tiles);
  return work;
}
