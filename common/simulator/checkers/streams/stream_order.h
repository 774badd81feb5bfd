// SPDX-License-Identifier: MIT
// Compares the accesses of a kernel with the work of other streams.
#pragma once

#include <memory>

#include "state/watcher.h"

namespace cudasim {

/// Part of the check `race`. Null: the work of all other streams is ordered with the launch.
std::shared_ptr<Watcher> watch_streams(Grid& grid);

}  // namespace cudasim
