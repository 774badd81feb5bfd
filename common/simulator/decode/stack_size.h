// SPDX-License-Identifier: MIT
// How deep the stack of one warp can get.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace cudasim {

/// Sets the sizes of the stack in `program`. Calls through pointers may reach any function, so they count as recursion.
/// `begin_of_function`: pcs.
void size_stack(Program& program, const std::vector<std::uint32_t>& begin_of_function);

}  // namespace cudasim
