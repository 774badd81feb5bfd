// SPDX-License-Identifier: MIT
#include "machine/control/preemption.h"

namespace cudasim {

std::uint64_t Preemption::random(std::uint64_t below) {
  if (!random_) random_.emplace(grid_.schedule.seed);
  return (*random_)() % below;
}

/// Whether blocks may communicate by this access: a flag, a ticket, a lock.
bool Preemption::reaches_other_blocks(const MicroOp& op) const {
  if (op.kind == MicroOpcode::async_copy) return false;
  const bool atomic = op.kind == MicroOpcode::atomic;
  const MemoryAccess& access = atomic ? program_.atomics[op.extra].address : program_.accesses[op.extra];
  return (atomic || access.ordering != Ordering::weak) && access.space != ptx::Space::shared;
}

bool Preemption::interrupts_here(Block& block, Warp& warp, const MicroOp& op) {
  if (warp.interrupted) {
    warp.interrupted = false;
    return false;
  }
  const bool adversarial = grid_.schedule.order == Schedule::Order::adversarial;
  const bool reaches = reaches_other_blocks(op);
  warp.interrupted = adversarial || random(reaches ? 2 : 4) == 0;
  if (warp.interrupted && reaches) {
    // Provoke check-then-act races: in adversarial order, switch to another block before every second access that other
    // blocks can see. Side by side, before each of them: what the others have done then does not depend on how many
    // accesses came before.
    block.has_looked = !block.has_looked && !side_by_side_;
    block.gives_way |= adversarial ? !block.has_looked : random(2) == 0;
  }
  return warp.interrupted;
}

}  // namespace cudasim
