// SPDX-License-Identifier: MIT
// Divergence and reconvergence: lanes diverge into splits and meet again (see state/warp.h).
#pragma once

#include "machine/units/worker.h"

namespace cudasim {

/// Whether a split has lanes left where it was.
enum class Turn : std::uint8_t { go_on, lost };

class Divergence : Unit {
 public:
  explicit Divergence(Worker& worker) : Unit(worker) {}

  /// Lanes in `taken` jump, the others fall through.
  Turn branch(Warp& warp, WarpSplit& split, Mask taken, const Branch& branch);
  /// Where each lane goes on after brx.idx at `split.pc`. False: it is a fault.
  bool find_targets(const Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask active,
                    std::uint32_t* targets) const;
  Turn split_over_targets(Warp& warp, WarpSplit& split, const std::uint32_t* target_of_lane, std::uint32_t reconverge);
  /// The split comes to a place where lanes may meet.
  Turn arrive(Warp& warp, WarpSplit& split);
  Turn exit_lanes(Block& block, Warp& warp, WarpSplit& split, Mask lanes);
  /// The number of the convergence barrier at `pc`, which is opened if there is none.
  std::uint32_t open_convergence_barrier(Warp& warp, const WarpSplit& split, std::uint32_t pc);
  /// All lanes that wait in convergence_barriers go on without the others. `only_to_exit`: only those that are about to
  /// leave the kernel, which hardware does not hold back. False when none waits.
  bool release_waiting(Warp& warp, bool only_to_exit = false);

 private:
  void drop_lanes(Warp& warp, std::uint32_t convergence_barrier, Mask lanes);
  bool leads_to_exit(std::uint32_t pc) const;
};

}  // namespace cudasim
