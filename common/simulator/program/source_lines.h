// SPDX-License-Identifier: MIT
// Source lines of instructions: Program::source_line() and its relatives are in source_lines.cpp.
#pragma once

#include <cstdint>
#include <string>

namespace cudasim {

struct Program;

/// Files of the CUDA toolkit. A message names the line of the user that calls into them.
bool is_toolkit_file(const std::string& path);

/// "line 12" of the user's file; "PTX line 34" where that is not known.
std::string line_text(const Program& program, std::uint32_t counter);

}  // namespace cudasim
