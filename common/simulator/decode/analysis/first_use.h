// SPDX-License-Identifier: MIT
// How soon a loaded value is read. A warp goes on behind a load, and waits where it first needs the value.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/analysis/control_flow.h"

namespace cudasim {

/// About the cycles that a load of shared memory takes on a GPU.
constexpr unsigned kEarlyUse = 32;

/// Whether a way leads from the instruction `load` to one that reads its result within kEarlyUse instructions.
bool is_used_early(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found,
                   std::uint32_t load);

}  // namespace cudasim
