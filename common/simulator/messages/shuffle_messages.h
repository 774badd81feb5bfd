// SPDX-License-Identifier: MIT
// Errors in the arguments of a warp-wide function.
#pragma once

#include "state/grid.h"
#include "state/watcher.h"

namespace cudasim {

/// A split waits for lanes that its mask names, and they cannot come any more.
void report_missing_lanes(Grid& grid, const Block& block, const Warp& warp, const WarpSplit& split);
/// `lane` calls a warp-wide function whose mask does not name it.
void report_unnamed_caller(Grid& grid, const Step& step, Mask calling, unsigned lane);
/// A distance of 32 or more, or a width that is no power of two: a warning.
void report_odd_shuffle(Grid& grid, const Step& step, Mask calling);

}  // namespace cudasim
