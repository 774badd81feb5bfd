// SPDX-License-Identifier: MIT
// Lines of the host program. Return addresses are taken when a call comes, which costs little; what they mean is asked
// of the toolchain's addr2line when something is told.
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"

namespace cudasim {

/// The calls that led here, innermost first.
CallStack callers();

/// A place in the host program. `line` 0: compiled without -g, and then only `function` is known, or nothing.
struct HostLine {
  SourceLine where;
  std::string text;  ///< the line itself; empty where its file is gone, or newer than the program
};

/// Whose line is wanted.
enum class Wanted {
  caller,     ///< that which asked for something: what a header wraps around the call is passed over
  innermost,  ///< where the program stands
};

/// The program's own line in a stack: what belongs to the runtime, the toolkit, the system's libraries and nvcc's stub
/// of `kernel` (mangled) is passed over.
HostLine host_line(const CallStack& stack, Wanted wanted, const std::string& kernel = "");

/// The choice alone, of a chain of frames, innermost first; an empty line where none fits.
SourceLine own_line(const std::vector<SourceLine>& chain, Wanted wanted, const std::string& kernel);

}  // namespace cudasim
