// SPDX-License-Identifier: MIT
// How often each instruction was executed. Instructions are counted a straight run at a time. A difference array over
// pcs has +1 where a warp enters a run, and -1 behind its end. The prefix sum at a pc is how many warps executed it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "program/program.h"
#include "state/zeroed.h"

namespace cudasim {

/// Warps, and the lanes that they lacked: mostly none, so that one number changes, not two.
struct Executed {
  std::uint64_t warps = 0, lacking = 0;
  void add(std::uint32_t lanes_lacking) {
    ++warps;
    if (lanes_lacking != 0) lacking += lanes_lacking;
  }
  void take(std::uint32_t lanes_lacking) {
    --warps;
    if (lanes_lacking != 0) lacking -= lanes_lacking;
  }
  void operator+=(const Executed& more) {
    warps += more.warps;
    lacking += more.lacking;
  }
  void operator-=(const Executed& less) {
    warps -= less.warps;
    lacking -= less.lacking;
  }
  std::uint64_t threads() const { return kWarpSize * warps - lacking; }
};

class ExecutionCounts {
 public:
  explicit ExecutionCounts(const Program& program)
      : program_(program),
        runs_(zeroed<Executed>(program.code.size() + 1)),
        jumps_(zeroed<Executed>(program.branches.size() + 1)) {}

  void enter(std::uint32_t pc, std::uint32_t lacking) { runs_[pc].add(lacking); }
  /// `pc`: behind the last instruction.
  void leave(std::uint32_t pc, std::uint32_t lacking) { runs_[pc].take(lacking); }
  /// All lanes jump: a run ends here and one begins at the target.
  void jump(std::uint32_t branch, std::uint32_t lacking) { jumps_[branch].add(lacking); }

  std::vector<Executed> by_pc() const;
  /// Adds all counts to `by_instruction`; `counters`: the counts of other parts.
  void add_to(std::vector<Counters>& by_instruction, const Counters* counters) const;

 private:
  const Program& program_;
  const Zeroed<Executed> runs_;   // by pc, and one more
  const Zeroed<Executed> jumps_;  // by branch
};

}  // namespace cudasim
