// refused: out-of-bounds: the share is rounded down, so there are more blocks than the workspace has room for
// SPDX-License-Identifier: MIT
// shown by: --size 1x1x2561
// hint: outside-global
// Right where the k-tiles are a multiple of the blocks, and where the SMs give the number of blocks.
#include "workbook/student/gemm.h"
#include "workbook/student/products/plan.h"

using workbook::products::Plan;
template <class Shape>
Plan plan_for(const workbook::Matrix& c, std::size_t terms, std::size_t room, std::size_t multiprocessors);

// Renames the answer's definition, and not its calls: there the tile shape follows the name.
#define plan_for(...) right_plan_for(__VA_ARGS__)
#define ONE_SHAPE MediumInSlices
#include "answer/one_tile_answer.cuh"
#undef plan_for

template <class Shape>
Plan plan_for(const workbook::Matrix& c, std::size_t terms, std::size_t room, std::size_t multiprocessors) {
  Plan plan = right_plan_for<Shape>(c, terms, room, multiprocessors);
  WorkPartition& work = plan.work;
  const std::size_t blocks = most_sharing_blocks<Shape>(work, room, multiprocessors);
  if (work.is_cut()) work.cut_into(std::max(work.length() / blocks, kLeastShare));
  return plan;
}
