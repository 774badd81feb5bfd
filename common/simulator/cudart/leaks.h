// SPDX-License-Identifier: MIT
// Device memory that the program never freed.
#pragma once

namespace cudasim {

class Runtime;

/// Prints and records a finding for each live allocation that the program made. Nothing after an error that stopped a
/// kernel: who stops there need not clean up.
void report_leaks(Runtime& runtime);

}  // namespace cudasim
