// SPDX-License-Identifier: MIT
// Which checkers watch a launch. They outlive launches, as what they know of memory does. Null: not asked for; a run
// without them pays nothing. What the machine itself cannot go past (bounds, barriers, masks, deadlock) is always
// found.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "checkers/history/history.h"
#include "checkers/init/initialised.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/race/shadow/undo_log.h"
#include "state/observer.h"

namespace cudasim {

/// What the workers have that look for races together (machine/schedule/speculation.h).
struct RaceWorkers {
  struct Worker {
    explicit Worker(KeptLines& kept) : undo(kept) {}
    RaceChecker race;
    UndoLog undo;
  };
  KeptLines kept;
  std::vector<std::unique_ptr<Worker>> workers;
  std::unordered_set<const Program*> given_up;  ///< kernels with which it was in vain
};

struct Checks {
  std::unique_ptr<RaceChecker> race;  ///< what one worker finds that runs the blocks in order
  RaceWorkers race_workers;
  std::unique_ptr<InitChecker> init;                 ///< Memory::watch_writes() must have been called
  std::vector<std::shared_ptr<Observer>> observers;  ///< one worker, if one of them hears of all blocks
  std::unique_ptr<History> history;                  ///< what one of the observers has heard of one place
};

}  // namespace cudasim
