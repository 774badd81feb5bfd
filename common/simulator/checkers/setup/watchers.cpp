// SPDX-License-Identifier: MIT
#include "checkers/setup/watchers.h"

#include <utility>

#include "checkers/history/observer_watch.h"
#include "checkers/registry/checks.h"
#include "state/grid.h"

namespace cudasim {

std::vector<std::shared_ptr<Watcher>> make_watchers(Grid& grid, const std::shared_ptr<Watcher>& races) {
  std::vector<std::shared_ptr<Watcher>> watchers;
  if (grid.checks != nullptr) {
    for (const Checks::MakeWatcher& make : grid.checks->watchers) {
      if (auto watcher = make(grid)) watchers.push_back(std::move(watcher));
    }
    if (!grid.checks->observers.empty()) watchers.push_back(watch_for_observers(grid, grid.checks->observers));
  }
  if (races) watchers.push_back(races);
  return watchers;
}

}  // namespace cudasim
