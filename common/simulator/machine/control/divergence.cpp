// SPDX-License-Identifier: MIT
#include "machine/control/divergence.h"

#include "messages/finding_messages.h"

namespace cudasim {

std::uint32_t Divergence::open_convergence_barrier(Warp& warp, const WarpSplit& split, std::uint32_t pc) {
  if (pc == kNoPc) return split.convergence_barrier;
  if (split.convergence_barrier != kNone) {
    const auto& current = warp.convergence_barriers[split.convergence_barrier];
    if (current.pc == pc && current.activation == split.activation)
      return split.convergence_barrier;  // a loop splits again
  }
  std::uint32_t free = 0;
  while (free < warp.convergence_barriers.size() && warp.convergence_barriers[free].in_use) ++free;
  if (free == warp.convergence_barriers.size()) warp.convergence_barriers.emplace_back();
  auto& convergence_barrier = warp.convergence_barriers[free];
  convergence_barrier = ConvergenceBarrier{};
  convergence_barrier.pc = pc;
  convergence_barrier.activation = split.activation;
  convergence_barrier.expected = split.mask;
  convergence_barrier.outer = split.convergence_barrier;
  convergence_barrier.frame = split.frame;
  convergence_barrier.local = split.local;
  convergence_barrier.in_use = true;
  return free;
}

/// A way that leads straight to the convergence barrier needs no split.
Turn Divergence::branch(Warp& warp, WarpSplit& split, Mask taken, const Branch& branch) {
  const Mask falling = split.mask & ~taken;
  const std::uint32_t next = split.pc + 1;
  warp.part(program_.code[split.pc].counter, taken, falling);
  split.convergence_barrier = open_convergence_barrier(warp, split, branch.reconverge);
  if (next == branch.reconverge) {
    warp.convergence_barriers[split.convergence_barrier].arrived |= falling;
    split.pc = branch.target;
    split.mask = taken;
  } else {
    if (branch.target == branch.reconverge) {
      warp.convergence_barriers[split.convergence_barrier].arrived |= taken;
    } else {
      WarpSplit other = split;
      other.pc = branch.target;
      other.mask = taken;
      warp.splits.push_back(other);
    }
    split.pc = next;
    split.mask = falling;
  }
  return Turn::go_on;
}

bool Divergence::find_targets(const Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask active,
                              std::uint32_t* targets) const {
  const auto& table = program_.branches[op.extra];
  if (values_ != nullptr) values_->decision({block, warp, split, op}, op.a, active);
  const auto* indices = reinterpret_cast<const std::uint32_t*>(warp.frames + split.frame + op.a);
  for (Mask m = split.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    targets[lane] = split.pc + 1;
    if (((active >> lane) & 1) == 0) continue;
    if (indices[lane] >= table.targets.size()) {
      report(grid_, block, finding_at(grid_, block, warp, op, 1u << lane, FindingKind::invalid_target));
      return false;
    }
    targets[lane] = table.targets[indices[lane]];
  }
  return true;
}

Turn Divergence::split_over_targets(Warp& warp, WarpSplit& split, const std::uint32_t* target_of_lane,
                                    std::uint32_t reconverge) {
  Mask left = split.mask;
  const auto first_target = target_of_lane[__builtin_ctz(left)];
  bool uniform = true;
  for (Mask m = left; m != 0; m &= m - 1) uniform &= target_of_lane[__builtin_ctz(m)] == first_target;
  if (uniform) {
    split.pc = first_target;
    return Turn::go_on;
  }
  split.convergence_barrier = open_convergence_barrier(warp, split, reconverge);
  bool kept = false;
  WarpSplit own = split;
  while (left != 0) {
    const auto target = target_of_lane[__builtin_ctz(left)];
    Mask group = 0;
    for (Mask m = left; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (target_of_lane[lane] == target) group |= 1u << lane;
    }
    left &= ~group;
    if (left != 0) warp.part(program_.code[split.pc].counter, group, left);
    if (target == reconverge && reconverge != kNoPc) {
      warp.convergence_barriers[split.convergence_barrier].arrived |= group;
      continue;
    }
    WarpSplit part = split;
    part.pc = target;
    part.mask = group;
    if (kept) {
      warp.splits.push_back(part);
    } else {
      own = part;
      kept = true;
    }
  }
  split = own;
  return kept ? Turn::go_on : Turn::lost;
}

Turn Divergence::arrive(Warp& warp, WarpSplit& split) {
  const std::uint32_t m = split.convergence_barrier;
  if (m == kNone || warp.convergence_barriers[m].pc != split.pc ||
      warp.convergence_barriers[m].activation != split.activation) {
    ++split.pc;
    return Turn::go_on;
  }
  auto& convergence_barrier = warp.convergence_barriers[m];
  convergence_barrier.arrived |= split.mask;
  if (convergence_barrier.arrived != convergence_barrier.expected) return Turn::lost;
  split.mask = convergence_barrier.expected;
  split.convergence_barrier = convergence_barrier.outer;
  split.polls = 0;
  convergence_barrier.in_use = false;
  return Turn::go_on;  // at the same pc: an outer convergence barrier may be at this place too
}

/// No meeting expects lanes that exit any more.
void Divergence::drop_lanes(Warp& warp, std::uint32_t first, Mask lanes) {
  for (std::uint32_t m = first; m != kNone; m = warp.convergence_barriers[m].outer) {
    auto& convergence_barrier = warp.convergence_barriers[m];
    convergence_barrier.expected &= ~lanes;
    if (convergence_barrier.expected == 0) {
      convergence_barrier.in_use = false;
    } else if (convergence_barrier.arrived == convergence_barrier.expected) {
      WarpSplit split;
      split.pc = convergence_barrier.pc;
      split.mask = convergence_barrier.arrived;
      split.convergence_barrier = convergence_barrier.outer;
      split.activation = convergence_barrier.activation;
      split.frame = convergence_barrier.frame;
      split.local = convergence_barrier.local;
      convergence_barrier.in_use = false;
      warp.splits.push_back(split);
    }
  }
}

Turn Divergence::exit_lanes(Block& block, Warp& warp, WarpSplit& split, Mask lanes) {
  warp.live &= ~lanes;
  block.exited += count_lanes(lanes);
  block.barrier_due = block.barriers_in_use != 0;
  for (std::uint32_t a = split.activation; a != kNone; a = warp.activations[a].caller)
    warp.activations[a].lanes &= ~lanes;
  const std::uint32_t convergence_barrier = split.convergence_barrier;
  split.mask &= ~lanes;
  if (split.mask != 0) warp.part(program_.code[split.pc - 1].counter, lanes, split.mask);
  drop_lanes(warp, convergence_barrier, lanes);
  return split.mask == 0 ? Turn::lost : Turn::go_on;
}

/// Whether the kernel only ends from here on.
bool Divergence::leads_to_exit(std::uint32_t pc) const {
  while (program_.code[pc].kind == MicroOpcode::reconverge) ++pc;
  const MicroOp& op = program_.code[pc];
  return op.kind == MicroOpcode::exit && op.guard_mode == MicroOp::Guard::always;
}

bool Divergence::release_waiting(Warp& warp, bool only_to_exit) {
  bool released = false;
  for (std::size_t m = 0; m < warp.convergence_barriers.size(); ++m) {
    auto& convergence_barrier = warp.convergence_barriers[m];
    if (!convergence_barrier.in_use || convergence_barrier.arrived == 0) continue;
    if (only_to_exit && !leads_to_exit(convergence_barrier.pc)) continue;
    WarpSplit split;
    split.pc = convergence_barrier.pc;
    split.mask = convergence_barrier.arrived;
    split.convergence_barrier = convergence_barrier.outer;
    split.activation = convergence_barrier.activation;
    split.frame = convergence_barrier.frame;
    split.local = convergence_barrier.local;
    convergence_barrier.expected &= ~convergence_barrier.arrived;
    convergence_barrier.arrived = 0;
    if (convergence_barrier.expected == 0) convergence_barrier.in_use = false;
    warp.splits.push_back(split);
    released = true;
  }
  return released;
}

}  // namespace cudasim
