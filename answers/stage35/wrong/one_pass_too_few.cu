// refused: wrong-result: two runs are left over
// SPDX-License-Identifier: MIT
// shown by: --size 30000
// hint: sort-order
#include "passes.cuh"

// Comes before the given one, as it is in the namespace of this file.
template <class SortTile, class MergeTile>
Passes plan_passes(workbook::KeyType type, workbook::Records output, std::size_t n,
                   const workbook::SortWorkspace& workspace) {
  Passes passes = ::plan_passes<SortTile, MergeTile>(type, output, n, workspace);
  if (passes.count > 1) {
    --passes.count;
    std::swap(passes.even, passes.odd);
  }
  return passes;
}

#include "answer/small_tiles_answer.cuh"
