// SPDX-License-Identifier: MIT
// The limits of launches (check_launch), and those that cudaDeviceSetLimit sets.
#pragma once

#include <cstddef>

#include "runtime/runtime.h"

namespace cudasim {

/// The value of a limit until the program sets it; as on compute capability 9.0. False when there is no such limit.
bool default_limit(cudaLimit limit, std::size_t& value);
/// The current value of a limit.
std::size_t limit_of(const Runtime& runtime, cudaLimit limit);

}  // namespace cudasim
