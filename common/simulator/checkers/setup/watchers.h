// SPDX-License-Identifier: MIT
// The watchers of a worker's blocks.
#pragma once

#include <memory>
#include <vector>

#include "state/watcher.h"

namespace cudasim {

/// Makes the watchers of one worker. The machine itself makes the one that follows registers, as it is told of more
/// (checkers/init/value_watch.h). `races`: null where races are not looked for.
std::vector<std::shared_ptr<Watcher>> make_watchers(Grid& grid, const std::shared_ptr<Watcher>& races);

}  // namespace cudasim
