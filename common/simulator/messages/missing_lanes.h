// SPDX-License-Identifier: MIT
// Messages about lanes that are missing where others wait for them.
#pragma once

#include <string>

#include "program/program.h"
#include "state/block.h"

namespace cudasim {

/// The PTX instruction at which a split stands. A split that has arrived at a barrier is already past it.
const MicroOp& instruction_of(const Program& program, const WarpSplit& split);

/// "lane 3", "lanes 16 to 31".
std::string lanes_text(Mask lanes);
/// "lanes 16 to 31 took another way at line 54, and have left the kernel".
std::string describe_missing_lanes(const Program& program, const Warp& warp, Mask missing, Mask present);

/// " at line 24": where threads of the block exited the kernel without the barrier. Empty where that is not certain.
std::string exits_before(const Program& program, const Block& block, const MicroOp& barrier);

}  // namespace cudasim
