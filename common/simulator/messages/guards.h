// SPDX-License-Identifier: MIT
// The guard of an access: a branch around it that compares its index with a bound.
#pragma once

#include <string>

#include "program/program.h"

namespace cudasim {

/// "line 12", that of the innermost guard of the access in this line of the PTX text; empty: it has none.
std::string guard_of(const Program& program, int ptx_line);

}  // namespace cudasim
