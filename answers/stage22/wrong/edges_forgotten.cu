// refused: wrong-result: no block computes the rows and columns that lie in no tile
// SPDX-License-Identifier: MIT
// shown by: --size 65x130x70
// hint: output-not-written
// Right where C is made of whole tiles, and where what is left of them is not thin.
#define WRONG make_partition<Small>
#include "answer/without_one_function.cuh"

template <class Shape>
WorkPartition make_partition(const workbook::Matrix& c, std::size_t terms) {
  WorkPartition work = right_make_partition<Shape>(c, terms);
  work.height = c.rows;
  work.width = c.columns;
  return work;
}
