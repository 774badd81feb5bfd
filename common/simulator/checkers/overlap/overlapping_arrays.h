// SPDX-License-Identifier: MIT
// Two `extern __shared__` arrays are one memory. A kernel that writes to both, and reads of one what it wrote to the
// other over it, takes them for two.
#pragma once

#include <memory>

#include "state/watcher.h"

namespace cudasim {

/// Part of the check `race`. Null: the kernel has fewer than two such arrays.
std::shared_ptr<Watcher> watch_overlapping_arrays(Grid& grid);

}  // namespace cudasim
