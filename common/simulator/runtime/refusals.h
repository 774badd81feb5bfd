// SPDX-License-Identifier: MIT
// A launch that CUDA refuses is a finding: the kernel never runs, and a program that does not look at the error goes on
// with results that nobody has computed. It is told at once, as the program may end over it. One that asks for the
// error (cudaGetLastError(), cudaPeekAtLastError()) after each such launch and ends with 0 knew what to do.
#pragma once

#include <string>

#include "runtime/runtime.h"

namespace cudasim {

/// Tells it, once for each line and reason, and returns `error`. `kernel`: mangled; empty where it is no kernel.
/// `by_cuda`: a GPU refuses it too; else it is the simulator alone, and no question makes that good.
cudaError_t refuse_launch(Runtime& runtime, const std::string& kernel, const std::string& why,
                          const std::string& advice, cudaError_t error, bool by_cuda);

/// The calling thread has asked for its last error, and there was one.
void error_was_asked(Runtime& runtime);

/// At the end of the program: takes those out of the report that it has handled.
void take_back_handled_launches(Runtime& runtime);

}  // namespace cudasim
