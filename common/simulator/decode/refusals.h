// SPDX-License-Identifier: MIT
// Refusals: what the simulator cannot execute exactly, with its place.
#pragma once

#include <string>

#include "base/finding.h"
#include "ptx/module.h"

namespace cudasim {

/// "PTX line 12 (reduce.cu:34): what"
Refusal refuse(const ptx::Module& text, const ptx::Instruction& instruction, const std::string& what);
/// The refusal of a call of a function that is only declared.
Refusal without_body(const ptx::Module& text, const ptx::Instruction& instruction, const std::string& callee);

}  // namespace cudasim
