// SPDX-License-Identifier: MIT
// Messages about lanes that are missing where others wait for them.
#pragma once

#include <string>

#include "program/program.h"
#include "state/block.h"

namespace cudasim {

/// The PTX instruction at which a fragment stands: one that has arrived at a barrier is already behind it.
const MicroOp& instruction_of(const Program& program, const Fragment& fragment);

/// "lane 3", "lanes 16 to 31".
std::string lanes_text(Mask lanes);
/// "lanes 16 to 31 took another way at line 54, and have left the kernel".
std::string absence_of(const Program& program, const Warp& warp, Mask absent, Mask present);

/// " at line 24": where threads of the block have left the kernel that never came to the barrier; empty where that is
/// not certain.
std::string exits_before(const Program& program, const Block& block, const MicroOp& barrier);

}  // namespace cudasim
