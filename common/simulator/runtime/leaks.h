// SPDX-License-Identifier: MIT
// Device memory that the program never freed.
#pragma once

namespace cudasim {

class Runtime;

/// Prints and records a finding for each call that made allocations which are still live. Nothing after an error, of a
/// kernel or of a call: who stops there need not clean up.
void report_leaks(Runtime& runtime);

}  // namespace cudasim
