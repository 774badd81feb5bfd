// SPDX-License-Identifier: MIT
// Source lines of instructions: Program::source_line() and its relatives are in source_lines.cpp.
#pragma once

#include <string>

namespace cudasim {

/// Files of the CUDA toolkit. A message names the line of the user that calls into them.
bool is_toolkit_file(const std::string& path);

}  // namespace cudasim
