// SPDX-License-Identifier: MIT
// Instructions between the lanes of a warp: shfl, vote, match, redux, elect, bar.warp.sync (PTX ISA, "Data Movement"
// and "Parallel Synchronization"). Each waits until the lanes that its mask names are there, on any path.
#pragma once

#include "machine/units/worker.h"

namespace cudasim {

class WarpUnit : Unit {
 public:
  explicit WarpUnit(Worker& worker) : Unit(worker) {}

  Sync execute(Block& block, Warp& warp, WarpSplit& split, const MicroOp& op, Mask mask);
  /// Executes instructions at which all named lanes have arrived, from different places of the program. True when there
  /// were some.
  bool complete(Block& block, Warp& warp);

 private:
  /// The values that lanes at one instruction have in their registers for each other.
  struct Operands {
    std::uint64_t values[kWarpSize] = {};
    Mask predicates = 0;  ///< what they vote
  };
  void gather(const Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask, Operands& operands) const;
  void write_results(const Step& step, Mask mask, const Operands& operands, Mask participants);
  void shuffle(const Step& step, Mask mask, const Operands& operands, Mask participants);
  static void match(const Step& step, const WarpOperation& operation, Mask mask, const Operands& operands,
                    Mask participants);
  void shuffle_at_once(std::byte* frame, const WarpOperation& operation, const MicroOp& op, Mask mask);
  void sync_lanes(const Block& block, Warp& warp, Mask lanes) const;
  Mask ready_lanes(const Warp& warp, std::uint32_t* named) const;
  bool waits(const WarpSplit& split) const;
};

}  // namespace cudasim
