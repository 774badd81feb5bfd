// SPDX-License-Identifier: MIT
// What the workers share that look for races together.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "checkers/race/shadow/race_checker.h"
#include "checkers/race/shadow/undo_log.h"

namespace cudasim {

/// What the workers share that look for races together (machine/schedule/speculation.h).
struct RaceWorkers {
  struct Worker {
    explicit Worker(KeptLines& kept) : undo(kept) {}
    RaceChecker race;
    UndoLog undo;
  };
  KeptLines kept;
  std::vector<std::unique_ptr<Worker>> workers;
  std::unordered_set<const Program*> given_up;  ///< kernels for which it was of no use
};

}  // namespace cudasim
