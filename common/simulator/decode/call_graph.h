// SPDX-License-Identifier: MIT
// Which functions a kernel needs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace cudasim {

/// Names that an operand consists of.
void for_each_name(const ptx::Operand& operand, const std::function<void(const std::string&)>& visit);

/// Functions (indices into text.functions) that `kernel` may call, the kernel first: by name, and through pointers all
/// those whose address is taken. Throws Refusal when one has no body.
std::vector<std::uint32_t> reachable_functions(const ptx::Module& text, std::uint32_t kernel);

}  // namespace cudasim
