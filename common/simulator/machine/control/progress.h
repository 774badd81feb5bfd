// SPDX-License-Identifier: MIT
// How far a launch is: what it has executed, for its budget and for a person who waits.
#pragma once

#include <cstdint>

#include "machine/units/worker.h"

namespace cudasim {

class Progress : Unit {
 public:
  explicit Progress(Worker& worker) : Unit(worker) {}

  /// The block has ended. Where the launch has used up its budget, that is reported, and no other block begins.
  void end_block(Block& block) {
    steps_ += block.steps - block.counted_steps;
    if (steps_ < kStepsBetweenLooks && --blocks_until_look_ != 0) return;
    blocks_until_look_ = kBlocksBetweenLooks;
    look_between_blocks(block);
  }
  /// Says that the kernel still runs, and where it is, once the time for that has come. The clock decides only about
  /// this message.
  void look(Block& block, const Warp& warp, const MicroOp& op);

 private:
  static constexpr std::uint64_t kStepsBetweenLooks = 100'000;
  static constexpr std::uint32_t kBlocksBetweenLooks = 4096;

  void look_between_blocks(Block& block);

  std::uint64_t steps_ = 0;              ///< of this worker, that the grid does not know yet
  std::uint32_t blocks_until_look_ = 1;  ///< The first one shows whether the grid is too large.
};

}  // namespace cudasim
