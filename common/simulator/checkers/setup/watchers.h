// SPDX-License-Identifier: MIT
// The watchers of a worker's blocks.
#pragma once

#include <memory>
#include <vector>

#include "state/watcher.h"

namespace cudasim {

/// Makes the watchers of one worker. The machine itself makes the one that follows registers, because that one gets
/// more events (checkers/init/value_watch.h). If `races` is null, no races are looked for.
std::vector<std::shared_ptr<Watcher>> make_watchers(Grid& grid, const std::shared_ptr<Watcher>& races);

}  // namespace cudasim
