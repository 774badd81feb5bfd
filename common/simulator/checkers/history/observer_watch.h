// SPDX-License-Identifier: MIT
// Tells observers about accesses, lane by lane (state/observer.h).
#pragma once

#include <memory>
#include <vector>

#include "state/observer.h"
#include "state/watcher.h"

namespace cudasim {

/// Tells `observers`, which must outlive it, what happens.
std::shared_ptr<Watcher> watch_for_observers(const Grid& grid, const std::vector<std::shared_ptr<Observer>>& observers);

}  // namespace cudasim
