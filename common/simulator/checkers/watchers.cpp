// SPDX-License-Identifier: MIT
#include "checkers/watchers.h"

#include "checkers/checks.h"
#include "checkers/history/observer_watch.h"
#include "checkers/streams/stream_order.h"
#include "state/grid.h"

namespace cudasim {

std::vector<std::shared_ptr<Watcher>> make_watchers(Grid& grid, const std::shared_ptr<Watcher>& races) {
  std::vector<std::shared_ptr<Watcher>> watchers;
  if (!grid.launch.unordered.empty()) watchers.push_back(watch_streams(grid));
  if (grid.checks != nullptr && !grid.checks->observers.empty())
    watchers.push_back(watch_for_observers(grid, grid.checks->observers));
  if (races) watchers.push_back(races);
  return watchers;
}

}  // namespace cudasim
