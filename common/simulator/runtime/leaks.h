// SPDX-License-Identifier: MIT
// Device memory that the program never freed.
#pragma once

namespace cudasim {

class Runtime;

/// Prints and records a finding for each call whose allocations are still live. There is none after an error of a
/// kernel or of a call. A program that stops there need not free its memory.
void report_leaks(Runtime& runtime);

}  // namespace cudasim
