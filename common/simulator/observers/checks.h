// SPDX-License-Identifier: MIT
// Which checkers watch a launch. They outlive launches, as what they know of memory does. Null: not asked for; a run
// without them pays nothing. What the machine itself cannot go past (bounds, barriers, masks, deadlock) is always
// found.
#pragma once

#include <memory>
#include <vector>

#include "observers/history.h"
#include "observers/initialised.h"
#include "observers/observer.h"
#include "observers/races.h"

namespace cudasim {

struct Checks {
  std::unique_ptr<RaceChecker> race;                 ///< one worker runs the blocks, in order
  std::unique_ptr<InitChecker> init;                 ///< Memory::watch_writes() must have been called
  std::vector<std::shared_ptr<Observer>> observers;  ///< as `race`, if one of them hears of all blocks
  std::unique_ptr<History> history;                  ///< what one of the observers has heard of one place
};

}  // namespace cudasim
