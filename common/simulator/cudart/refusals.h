// SPDX-License-Identifier: MIT
// A launch that CUDA refuses is a finding: the kernel never runs, and a program that does not look at the error goes on
// with results that nobody has computed.
#pragma once

#include <string>

#include "cudart/runtime.h"

namespace cudasim {

/// Tells it, once for each line and reason, and returns `error`. `kernel`: mangled; empty where it is no kernel.
cudaError_t refuse_launch(Runtime& runtime, const std::string& kernel, const std::string& why,
                          const std::string& advice, cudaError_t error);

}  // namespace cudasim
