// SPDX-License-Identifier: MIT
// The watchers of a worker's blocks.
#pragma once

#include <memory>
#include <vector>

#include "state/watcher.h"

namespace cudasim {

/// Those of one worker; but what follows registers, too, is told more, and made by the machine itself
/// (checkers/init/value_watch.h). `races`: null where they are not looked for.
std::vector<std::shared_ptr<Watcher>> make_watchers(Grid& grid, const std::shared_ptr<Watcher>& races);

}  // namespace cudasim
