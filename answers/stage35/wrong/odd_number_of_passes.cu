// refused: wrong-result: the first launch writes the output, and so an odd number of passes ends in the workspace
// SPDX-License-Identifier: MIT
// shown by: --size 12000
// hint: sort-elsewhere
#include "passes.cuh"

// Comes before the given one, as it is in the namespace of this file.
template <class SortTile, class MergeTile>
Passes plan_passes(workbook::KeyType type, workbook::Records output, std::size_t n,
                   const workbook::SortWorkspace& workspace) {
  Passes passes = ::plan_passes<SortTile, MergeTile>(type, output, n, workspace);
  passes.even = output, passes.odd = workspace.records;
  return passes;
}

#include "answer/small_tiles_answer.cuh"
