// SPDX-License-Identifier: MIT
// A kernel with all functions that it may call: the order of the steps.
#pragma once

#include "decode/analysis/liveness.h"
#include "program/program.h"
#include "ptx/module.h"

namespace cudasim {

/// `text`, `analyses` (of `text`) and `variables` must outlive it. Throws Refusal.
Program decode(const ptx::Module& text, std::uint32_t kernel, const KernelInfo& info,
               const VariableAddresses& variables, Analyses& analyses, bool has_own_slots = false);

}  // namespace cudasim
