// SPDX-License-Identifier: MIT
// The check of copies and of calls of libraries in different streams.
#pragma once

#include "runtime/runtime.h"

namespace cudasim {

/// Part of the check `race`, for work that runs now: the places that it has in common with unordered work of other
/// streams, where one of the two is a library's. Kernels are compared with both while they run.
void compare_with_libraries(Runtime& runtime, const StreamWork& work);

/// Prints and keeps a finding about a call of the host. Each mistake of a line is reported once.
void report_call(Runtime& runtime, const Finding& finding);

}  // namespace cudasim
