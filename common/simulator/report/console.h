// SPDX-License-Identifier: MIT
// The one place where the simulator prints: a kernel's own text to stdout, everything of the simulator to stderr.
#pragma once

#include <string>

namespace cudasim {

/// Text of a kernel's printf, in order with the output of the host program.
void print_from_kernel(const std::string& text);
/// Findings and other text of several lines, as they are.
void print_text(const std::string& text);
/// One line, with "cudasim: " before it.
void print_line(const std::string& line);

}  // namespace cudasim
