// SPDX-License-Identifier: MIT
// Source lines of instructions: Program::source_line() and its relatives are in source_lines.cpp.
#pragma once

#include <string>

namespace cudasim {

/// Files of the CUDA toolkit: what is said goes to the line of the user that called into them.
bool is_toolkit_file(const std::string& path);

}  // namespace cudasim
