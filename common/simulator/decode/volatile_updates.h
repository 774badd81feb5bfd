// SPDX-License-Identifier: MIT
// Which volatile accesses are the two halves of an update: a value is loaded, changed, and stored where it was.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace cudasim {

/// By MicroOp::counter. Empty where the kernel has none.
std::vector<VolatileUpdate> volatile_updates_of(const Program& program, const std::vector<std::uint32_t>& reachable);

}  // namespace cudasim
