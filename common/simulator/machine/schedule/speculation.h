// SPDX-License-Identifier: MIT
// Speculation: all workers look for races together, and the run is undone if they find one.
//
// One worker that runs the blocks in order finds the same in every run. Several do not, as blocks that race read other
// values each time. Suppose that several workers find nothing at all, and no two of them touched one place of global
// memory that one of them wrote. Then no block could know when another one ran. One worker alone would find nothing
// either, and leave the same in memory.
//
// So all workers try. If they fail, memory is rolled back, and one worker runs the blocks.
#pragma once

#include <vector>

#include "base/counters.h"

namespace cudasim {

struct Grid;

/// Whether it may be tried. Not where the program orders its blocks by fences, or a kernel reads textures, as no
/// checker watches these reads. Not where it has failed before, either.
bool may_speculate(const Grid& grid);

/// Runs all blocks that are left, adds their counts to `by_instruction`, and returns true; or nothing has happened.
/// Call it while no block is under way, and before any finding.
bool speculate(Grid& grid, unsigned workers, std::vector<Counters>& by_instruction);

}  // namespace cudasim
