// SPDX-License-Identifier: MIT
// Which dynamic shared array an access means. All `extern __shared__` arrays of a kernel begin at one address, so only
// the text tells them apart.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace cudasim {

/// By MicroOp::counter: 1 + the place in Program::shared of the array from which the address is computed; 0: of no such
/// array, of two, or not known. Empty where the kernel has fewer than two of them.
std::vector<std::uint8_t> dynamic_arrays_of(const Program& program, const std::vector<std::uint32_t>& reachable);

}  // namespace cudasim
