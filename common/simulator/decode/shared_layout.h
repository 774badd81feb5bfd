// SPDX-License-Identifier: MIT
// Where shared variables lie.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"
#include "ptx/module.h"

namespace cudasim {

/// Shared memory of the kernel: every .shared variable that a reachable function names, in text order; the dynamic
/// array (size 0) comes after all others. A gap of kSharedGapBytes lies between two arrays. A step past the end of one
/// then does not reach the next; the gap keeps every array in its banks. The argument `static_bytes` receives what the
/// arrays take on a GPU, which has no gaps.
std::vector<SharedVariable> lay_out_shared(const ptx::Module& text, const std::vector<std::uint32_t>& reachable,
                                           std::uint32_t& static_bytes);

}  // namespace cudasim
