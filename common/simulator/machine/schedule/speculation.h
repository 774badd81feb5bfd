// SPDX-License-Identifier: MIT
// Races looked for by all workers, on speculation. One worker that runs the blocks in order finds the same in every
// run; several do not, as blocks that race read other values each time. But where several find nothing at all, and no
// two of them have touched one place of global memory of which one wrote, no block could know when another one ran: one
// worker would have found nothing either, and left the same in memory. So that is what is tried. If it fails, memory is
// rolled back, and one worker runs the blocks.
#pragma once

#include <vector>

#include "base/counters.h"

namespace cudasim {

struct Grid;

/// Whether it may be tried. Not where the program orders its blocks by fences, or a kernel reads textures, as no check
/// follows what these read; nor where it has failed before.
bool may_speculate(const Grid& grid);

/// Runs all blocks that are left, adds what they count to `by_instruction`, and returns true; or nothing has happened.
/// No block is under way, and nothing has been found so far.
bool speculate(Grid& grid, unsigned workers, std::vector<Counters>& by_instruction);

}  // namespace cudasim
