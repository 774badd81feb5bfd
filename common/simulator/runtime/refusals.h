// SPDX-License-Identifier: MIT
// A launch, a copy, a fill, or a call that is not permitted where it stands, is a finding. It is never done, and a
// program that ignores the error continues without its results. It is reported at once, because the program may end
// over it. A program that reads the error after each such call and ends with 0 has handled it. It reads by
// cudaGetLastError() or cudaPeekAtLastError(), or asks for the error's name or text.
#pragma once

#include <string>

#include "runtime/runtime.h"

namespace cudasim {

/// Reports it, once for each line and reason, and returns `error`. The name `kernel` is mangled, and empty where it is
/// no kernel. If `by_cuda`, a GPU refuses it too. Otherwise only the simulator does, and no query of the error handles
/// that.
cudaError_t refuse_launch(Runtime& runtime, const std::string& kernel, const std::string& why,
                          const std::string& advice, cudaError_t error, bool by_cuda);

/// The same for a copy or a fill. `call` is its name.
cudaError_t refuse_copy(Runtime& runtime, const char* call, const std::string& why, cudaError_t error);

/// The same for another call that is not permitted where it stands.
cudaError_t refuse_call(Runtime& runtime, const char* call, const std::string& why, const std::string& advice,
                        cudaError_t error);

/// The calling thread has queried its last error, and there was one.
void error_was_asked(Runtime& runtime);

/// At the end of the program: removes from the report those that the program has handled.
void take_back_handled_calls(Runtime& runtime);

}  // namespace cudasim
