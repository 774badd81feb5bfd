// SPDX-License-Identifier: MIT
// Errors in the arguments of a warp-wide function.
#pragma once

#include "state/grid.h"
#include "state/watcher.h"

namespace cudasim {

/// A fragment waits for lanes that its mask names, and they cannot come any more.
void report_absent_lanes(Grid& grid, const Block& block, const Warp& warp, const Fragment& fragment);
/// `lane` calls a warp-wide function whose mask does not name it.
void report_unnamed_caller(Grid& grid, const Step& step, Mask calling, unsigned lane);
/// A distance of 32 or more, or a width that is no power of two: a warning.
void report_odd_shuffle(Grid& grid, const Step& step, Mask calling);

}  // namespace cudasim
