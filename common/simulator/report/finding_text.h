// SPDX-License-Identifier: MIT
// A finding as text: one layout, for every kind of finding.
#pragma once

#include <string>

#include "base/finding.h"
#include "report/host_lines.h"

namespace cudasim {

/// The whole finding, in several lines that end in a newline. They say what happened, in which kernel, where in the
/// source, which threads and which memory. They also say what to look at next, and how to get the same run again.
std::string text_of(const Finding& finding);

/// "todo.cu:34"; "PTX line 12 (compile with -lineinfo to see the source line)" when the source is not known.
std::string place_of(const Finding& finding);

/// "todo.cu:34: cudaMalloc(&data, n);", "in main() (compile with -g to see the line)"; empty where nothing is known.
std::string host_place(const HostLine& line);

/// The line of the host program that a finding is about, or that allocated its memory; nothing where that is not known.
HostLine host_line_of(const Finding& finding);

/// The line that put the work of the other stream there. Nothing where there is none, or it is not known.
HostLine other_call_of(const Finding& finding);

}  // namespace cudasim
