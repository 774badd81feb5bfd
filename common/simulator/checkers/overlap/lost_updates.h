// SPDX-License-Identifier: MIT
// Updates of volatile values that another thread's update comes between. A volatile read beside a volatile write is no
// race, as flags are made of them. But what a thread adds to a value that is no longer there is lost.
#pragma once

#include <memory>

#include "state/watcher.h"

namespace cudasim {

/// Part of the check `race`. Null: the kernel has no such update.
std::shared_ptr<Watcher> watch_lost_updates(Grid& grid);

}  // namespace cudasim
