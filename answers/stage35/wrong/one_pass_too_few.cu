// refused: wrong-result: two runs are left over
// SPDX-License-Identifier: MIT
// shown by: --size 30000
// hint: sort-order
#include "workbook/student/sort.h"

struct Passes;
template <class SortTile, class MergeTile>
Passes plan_passes(workbook::KeyType type, workbook::Records output, std::size_t n,
                   const workbook::SortWorkspace& workspace);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define plan_passes(...) right_plan_passes(__VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef plan_passes

template <class SortTile, class MergeTile>
Passes plan_passes(KeyType type, Records output, std::size_t n, const workbook::SortWorkspace& workspace) {
  Passes passes = right_plan_passes<SortTile, MergeTile>(type, output, n, workspace);
  if (passes.count > 1) {
    --passes.count;
    std::swap(passes.even, passes.odd);
  }
  return passes;
}
