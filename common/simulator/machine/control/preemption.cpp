// SPDX-License-Identifier: MIT
#include "machine/control/preemption.h"

namespace cudasim {
namespace {

/// A block that looks so many times without a word of its own gives way: it may wait. It is more than a warp has lanes,
/// so that one thread may look back at as many blocks, one after the other.
constexpr std::uint32_t kLooks = 40;
constexpr std::uint32_t kLooksOfAWait = 2;  // in each of its turns then

}  // namespace

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

/// Provokes what depends on the order of blocks: a block gives way between what it tells the others and its look at
/// what they tell, and between a look and what it tells then. So many blocks have told the first thing before one
/// looks, and many have looked before one tells the second thing. A block that goes on looking may wait for another.
bool Preemption::turns_round(Block& block, const MicroOp& op) const {
  const bool is_atomic = op.kind == MicroOpcode::atomic;
  const bool looks = is_atomic ? program_.atomics[op.extra].returns : op.kind == MicroOpcode::load;
  const bool tells = is_atomic || op.kind == MicroOpcode::store;
  const bool turns = (looks && block.has_told) || (tells && block.has_looked);
  if (turns) block.looks = 0;
  const bool waits = ++block.looks > kLooks;
  if (waits) block.looks -= kLooksOfAWait;
  block.has_looked = looks;
  block.has_told = tells;
  return turns || waits;
}

bool Preemption::interrupts_here(Block& block, Warp& warp, const MicroOp& op) {
  if (warp.interrupted) {
    warp.interrupted = false;
    return false;
  }
  const bool adversarial = grid_.schedule.order == Schedule::Order::adversarial;
  const bool reaches = reaches_other_blocks(op);
  warp.interrupted = adversarial || random(reaches ? 2 : 4) == 0;
  if (warp.interrupted && reaches) block.gives_way |= adversarial ? turns_round(block, op) : random(2) == 0;
  return warp.interrupted;
}

}  // namespace cudasim
