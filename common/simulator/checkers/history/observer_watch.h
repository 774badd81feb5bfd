// SPDX-License-Identifier: MIT
// The Watcher that passes the events of a warp to observers (state/observer.h), lane by lane.
#pragma once

#include <memory>
#include <vector>

#include "state/observer.h"
#include "state/watcher.h"

namespace cudasim {

/// Passes the events to `observers`, which must outlive it.
std::shared_ptr<Watcher> watch_for_observers(const Grid& grid, const std::vector<std::shared_ptr<Observer>>& observers);

}  // namespace cudasim
