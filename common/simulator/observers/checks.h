// SPDX-License-Identifier: MIT
// Which checkers watch a launch. They outlive launches, as what they know of memory does. Null: not asked for; a run
// without them pays nothing. What the machine itself cannot go past (bounds, barriers, masks, deadlock) is always
// found.
#pragma once

#include <memory>

#include "observers/races.h"

namespace cudasim {

struct Checks {
  std::unique_ptr<RaceChecker> race;
};

}  // namespace cudasim
