// SPDX-License-Identifier: MIT
// Which checkers watch a launch. They live longer than a launch, because their knowledge of memory does. A run without
// them pays nothing. The machine always finds the errors at which it cannot continue: bounds, barriers, masks,
// deadlock.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/check_set.h"
#include "state/observer.h"

namespace cudasim {

class History;
class InitChecker;
class RaceChecker;
class Watcher;
struct Grid;
struct RaceWorkers;

/// The factory of a check (base/vocabulary.inc) adds a maker of watchers, or an observer. The machine itself makes the
/// watchers of the checks `race` and `init`, because it gives both more events than a Watcher gets.
struct Checks {
  Checks();
  Checks(Checks&&) noexcept;
  Checks& operator=(Checks&&) noexcept;
  ~Checks();

  /// Makes the watcher of one launch and one worker. Null: there is nothing to watch.
  using MakeWatcher = std::function<std::shared_ptr<Watcher>(Grid&)>;
  std::vector<MakeWatcher> watchers;
  std::vector<std::shared_ptr<Observer>> observers;

  std::unique_ptr<RaceChecker> race;          ///< Null: not requested, as the two below.
  std::unique_ptr<RaceWorkers> race_workers;  ///< Null until several workers have looked for races (race_workers.h).
  std::unique_ptr<InitChecker> init;          ///< Memory::watch_writes() must have been called.
  std::unique_ptr<History> history;           ///< What one of the observers has recorded for one place.

  bool wants_one_worker = false;  ///< the row of a check that is on requires it
  /// Whether one worker has to run all blocks. The check `race` decides for each launch
  /// (machine/schedule/speculation.h).
  bool needs_one_worker() const;
  bool is_empty() const { return !race && !init && watchers.empty() && observers.empty(); }
  /// Runs the factories of the checks that are on.
  void add(const CheckSet& wanted);
};

inline void no_watcher(Checks&) {}
#define CHECK(word, asked, workers, factory, meaning, ...) void factory(Checks& checks);
#include "base/vocabulary.inc"

}  // namespace cudasim
