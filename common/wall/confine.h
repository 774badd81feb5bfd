// SPDX-License-Identifier: MIT
// Puts this process behind the wall. There is no way back.
#pragma once

#include "wall/options.h"

namespace wall {

/// Joins the groups, becomes the user, and gives up descriptors, limits, files and system calls, in this order. Then it
/// becomes the command. Throws std::system_error where a part of the wall can't be had. Does not return.
[[noreturn]] void become_command(const Options& options);

/// The user's number in place of root's, without any right of root.
void become_user(long uid);

/// A line for the grader. It is one write, so that lines of two processes do not mix.
void tell(int status, const std::string& line);

}  // namespace wall
