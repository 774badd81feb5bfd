// SPDX-License-Identifier: MIT
// The Watcher that tells observers (state/observer.h) lane by lane what a warp does.
#pragma once

#include <memory>
#include <vector>

#include "state/observer.h"
#include "state/watcher.h"

namespace cudasim {

/// Tells `observers`, which must outlive it, what happens.
std::shared_ptr<Watcher> watch_for_observers(const Grid& grid, const std::vector<std::shared_ptr<Observer>>& observers);

}  // namespace cudasim
