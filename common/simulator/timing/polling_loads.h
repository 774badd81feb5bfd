// SPDX-License-Identifier: MIT
// Loads with which a block waits for what another block writes. Such a load is in a loop that reads the same place of
// global memory until its value changes, and does no other work with global memory.
#pragma once

#include <vector>

#include "program/program.h"

namespace cudasim {

/// By MicroOp::counter. An atomic with a result may be such a load, as of a lock. Loops are found by their backward
/// branches, and a copy of the load in front of its loop counts, too: compilers turn loops round.
std::vector<bool> polling_loads(const Program& program);

}  // namespace cudasim
