// SPDX-License-Identifier: MIT
// Lines of the host program. A call takes the return addresses, which costs little. The toolchain's addr2line turns
// them into lines only when a finding is reported.
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
  std::string text;  ///< the line itself; empty where its file is missing, or newer than the program
};

/// Whose line is wanted.
enum class Wanted {
  caller,     ///< the frame that made the request: what a header puts around the call is left out
  innermost,  ///< the program's innermost line
};

/// The program's own line in a stack. It leaves out the frames of the runtime, the toolkit, the system's libraries and
/// nvcc's stub of `kernel` (mangled).
HostLine host_line(const CallStack& stack, Wanted wanted, const std::string& kernel = "");

/// The choice alone, for a chain of frames, innermost first. The line is empty where no frame fits.
SourceLine own_line(const std::vector<SourceLine>& chain, Wanted wanted, const std::string& kernel);

}  // namespace cudasim
