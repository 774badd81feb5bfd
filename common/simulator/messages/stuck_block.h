// SPDX-License-Identifier: MIT
#pragma once

#include "state/grid.h"

namespace cudasim {

/// Nothing in the block can go on (or it goes on for ever, or for too long): names where its warps are. `is_full`: no
/// other block of this worker finds a place before one of those that are under way has ended.
Finding stuck_block(const Grid& grid, const Block& block, FindingKind kind, bool is_full);

}  // namespace cudasim
