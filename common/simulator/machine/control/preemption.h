// SPDX-License-Identifier: MIT
// Where a seeded order of execution interrupts a warp, and the random numbers that it draws.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "machine/units/worker.h"

namespace cudasim {

class Preemption : Unit {
 public:
  explicit Preemption(Worker& worker) : Unit(worker) {}

  /// In adversarial order, in every second launch of a kernel: many blocks come to an access before the first goes on.
  static bool is_side_by_side(const Grid& grid) {
    return grid.schedule.order == Schedule::Order::adversarial &&
           (grid.schedule.seed + grid.launch.times_before) % 2 == 0;
  }

  /// Whether the warp is interrupted before this access to memory.
  bool interrupts_here(Block& block, Warp& warp, const MicroOp& op);
  std::uint64_t random(std::uint64_t below);

 private:
  bool reaches_other_blocks(const MicroOp& op) const;

  const bool side_by_side_ = is_side_by_side(grid_);
  std::optional<std::mt19937_64> random_;  // made at its first use: most launches never need it
};

}  // namespace cudasim
