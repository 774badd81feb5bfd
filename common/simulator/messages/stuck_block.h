// SPDX-License-Identifier: MIT
#pragma once

#include "state/grid.h"

namespace cudasim {

/// Nothing in the block can continue, or it runs for ever or too long: names the places of its warps. If `is_full`, no
/// other block of this worker gets a place before a running one has ended.
Finding stuck_block(const Grid& grid, const Block& block, FindingKind kind, bool is_full);

}  // namespace cudasim
