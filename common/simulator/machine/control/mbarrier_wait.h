// SPDX-License-Identifier: MIT
// Do all warps of a block wait at an mbarrier for ever? libcu++ reads the clock in such a loop, so that no state comes
// again. But for a long time nothing is written, and whatever ran is part of a loop that looks at an mbarrier.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/control/execution_counts.h"
#include "machine/control/repetition.h"
#include "program/program.h"

namespace cudasim {

class MbarrierWait {
 public:
  /// Call it from time to time. True: nothing but such loops ran for `patience` of the block's steps.
  bool is_endless(const Program& program, std::uint64_t steps, std::uint64_t patience, const Activity& activity,
                  const ExecutionCounts& counts);

 private:
  std::uint64_t steps_ = 0;
  Activity activity_;
  std::vector<std::uint64_t> executed_;  // by pc, up to then
};

}  // namespace cudasim
