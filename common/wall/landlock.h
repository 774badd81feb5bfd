// SPDX-License-Identifier: MIT
// Landlock: from now on this process and its children see only the files that are named
// (docs.kernel.org/userspace-api/landlock).
#pragma once

#include <string>
#include <vector>

namespace wall {

/// Refuses all files but these, TCP where the kernel can, and signals and abstract sockets to the outside where it can.
/// A path in `write` may be changed; with `keeps_files` nothing in it can be removed. A path that does not exist is
/// passed over. Throws std::system_error where the kernel has no Landlock.
void restrict_files(const std::vector<std::string>& read, const std::vector<std::string>& write, bool keeps_files);

}  // namespace wall
