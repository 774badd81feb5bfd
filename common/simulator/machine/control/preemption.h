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

  /// Whether the warp is interrupted before this access to memory.
  bool interrupts_here(Block& block, Warp& warp, const MicroOp& op);
  std::uint64_t random(std::uint64_t below);

 private:
  bool reaches_other_blocks(const MicroOp& op) const;
  bool turns_round(Block& block, const MicroOp& op) const;

  std::optional<std::mt19937_64> random_;  // made at its first use: most launches never need it
};

}  // namespace cudasim
