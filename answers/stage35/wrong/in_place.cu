// refused: race: a pass writes where other blocks still read
// SPDX-License-Identifier: MIT
// shown by: --size 12000 --values places
// hint: race-between-blocks
#include "passes.cuh"

// Comes before the given one, as it is in the namespace of this file.
template <class SortTile, class MergeTile>
Passes plan_passes(workbook::KeyType type, workbook::Records output, std::size_t n,
                   const workbook::SortWorkspace& workspace) {
  Passes passes = ::plan_passes<SortTile, MergeTile>(type, output, n, workspace);
  passes.even = passes.odd = output;
  return passes;
}

#define WRONG_ELEMENT KeyAndPlace
#include "answer/small_tiles_answer.cuh"
