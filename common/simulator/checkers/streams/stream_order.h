// SPDX-License-Identifier: MIT
// Compares the accesses of a kernel with the work of other streams.
#pragma once

#include <memory>

#include "state/watcher.h"

namespace cudasim {

/// What this kernel and the work of other streams do at one place.
std::shared_ptr<Watcher> watch_streams(Grid& grid);

}  // namespace cudasim
