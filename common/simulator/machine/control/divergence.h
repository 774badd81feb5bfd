// SPDX-License-Identifier: MIT
// Divergence and reconvergence: lanes split into fragments and meet again (see state/warp.h).
#pragma once

#include "machine/units/worker.h"

namespace cudasim {

/// Whether a fragment has lanes left where it was.
enum class Turn : std::uint8_t { go_on, lost };

class Divergence : Unit {
 public:
  explicit Divergence(Worker& worker) : Unit(worker) {}

  /// Lanes in `taken` jump, the others fall through.
  Turn branch(Warp& warp, Fragment& fragment, Mask taken, const Branch& branch);
  /// Where each lane goes on after brx.idx at `fragment.pc`. False: it is a fault.
  bool find_targets(const Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask active,
                    std::uint32_t* targets) const;
  Turn split_over_targets(Warp& warp, Fragment& fragment, const std::uint32_t* target_of_lane,
                          std::uint32_t reconverge);
  /// The fragment comes to a place where lanes may meet.
  Turn arrive(Warp& warp, Fragment& fragment);
  Turn exit_lanes(Block& block, Warp& warp, Fragment& fragment, Mask lanes);
  /// The number of the meeting at `pc`, which is opened if there is none.
  std::uint32_t open_meeting(Warp& warp, const Fragment& fragment, std::uint32_t pc);
  /// All lanes that wait in meetings go on without the others. `only_to_exit`: only those that are about to leave the
  /// kernel, which hardware does not hold back. False when none waits.
  bool release_waiting(Warp& warp, bool only_to_exit = false);

 private:
  void drop_lanes(Warp& warp, std::uint32_t meeting, Mask lanes);
  bool leads_to_exit(std::uint32_t pc) const;
};

}  // namespace cudasim
