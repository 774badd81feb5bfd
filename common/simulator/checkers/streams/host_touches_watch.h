// SPDX-License-Identifier: MIT
// Notes what a launch touches of memory that the host shares.
#pragma once

#include <memory>

#include "state/watcher.h"

namespace cudasim {

/// Part of the check `race`. Null: Launch::host_touches is null.
std::shared_ptr<Watcher> watch_host_touches(Grid& grid);

}  // namespace cudasim
