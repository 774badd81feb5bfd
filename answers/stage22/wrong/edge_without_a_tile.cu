// refused: not-the-step: four rows without a whole tile before them are a thin edge, and no tile is left to share
// SPDX-License-Identifier: MIT
// hint: step-edge-alone
#include <cstddef>

#include "workbook/student/gemm.h"
#include "workbook/student/products/work_partition.h"

template <class Shape>
workbook::products::WorkPartition make_partition(const workbook::Matrix& c, std::size_t terms);

// Renames the answer's definition, and not its calls: there the tile shape follows the name.
#define make_partition(...) right_make_partition(__VA_ARGS__)
#include "../solution.cu"
#undef make_partition

template <class Shape>
WorkPartition make_partition(const Matrix& c, std::size_t terms) {
  WorkPartition work = right_make_partition<Shape>(c, terms);
  if (c.rows <= kThin) work.height = 0, work.tiles_down = 0;
  if (c.columns <= kThin) work.width = 0, work.tiles_across = 0;
  work.cut_into(work.k_tiles);
  return work;
}
