// SPDX-License-Identifier: MIT
#include "machine/control/divergence.h"

#include "messages/finding_messages.h"

namespace cudasim {

std::uint32_t Divergence::open_meeting(Warp& warp, const Fragment& fragment, std::uint32_t pc) {
  if (pc == no_pc) return fragment.meeting;
  if (fragment.meeting != none) {
    const auto& current = warp.meetings[fragment.meeting];
    if (current.pc == pc && current.activation == fragment.activation) return fragment.meeting;  // a loop splits again
  }
  std::uint32_t free = 0;
  while (free < warp.meetings.size() && warp.meetings[free].in_use) ++free;
  if (free == warp.meetings.size()) warp.meetings.emplace_back();
  auto& meeting = warp.meetings[free];
  meeting = Meeting{};
  meeting.pc = pc;
  meeting.activation = fragment.activation;
  meeting.expected = fragment.mask;
  meeting.outer = fragment.meeting;
  meeting.frame = fragment.frame;
  meeting.local = fragment.local;
  meeting.in_use = true;
  return free;
}

/// A way that leads straight to the meeting needs no fragment.
Turn Divergence::branch(Warp& warp, Fragment& fragment, Mask taken, const Branch& branch) {
  const Mask falling = fragment.mask & ~taken;
  const std::uint32_t next = fragment.pc + 1;
  warp.part(program_.code[fragment.pc].counter, taken, falling);
  fragment.meeting = open_meeting(warp, fragment, branch.reconverge);
  if (next == branch.reconverge) {
    warp.meetings[fragment.meeting].arrived |= falling;
    fragment.pc = branch.target;
    fragment.mask = taken;
  } else {
    if (branch.target == branch.reconverge) {
      warp.meetings[fragment.meeting].arrived |= taken;
    } else {
      Fragment other = fragment;
      other.pc = branch.target;
      other.mask = taken;
      warp.fragments.push_back(other);
    }
    fragment.pc = next;
    fragment.mask = falling;
  }
  return Turn::go_on;
}

bool Divergence::find_targets(const Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask active,
                              std::uint32_t* targets) const {
  const auto& table = program_.branches[op.extra];
  if (values_ != nullptr) values_->decision({block, warp, fragment, op}, op.a, active);
  const auto* indices = reinterpret_cast<const std::uint32_t*>(warp.frames + fragment.frame + op.a);
  for (Mask m = fragment.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    targets[lane] = fragment.pc + 1;
    if (((active >> lane) & 1) == 0) continue;
    if (indices[lane] >= table.targets.size()) {
      report(grid_, block, finding_at(grid_, block, warp, op, 1u << lane, FindingKind::invalid_target));
      return false;
    }
    targets[lane] = table.targets[indices[lane]];
  }
  return true;
}

Turn Divergence::split_over_targets(Warp& warp, Fragment& fragment, const std::uint32_t* target_of_lane,
                                    std::uint32_t reconverge) {
  Mask left = fragment.mask;
  const auto first_target = target_of_lane[__builtin_ctz(left)];
  bool uniform = true;
  for (Mask m = left; m != 0; m &= m - 1) uniform &= target_of_lane[__builtin_ctz(m)] == first_target;
  if (uniform) {
    fragment.pc = first_target;
    return Turn::go_on;
  }
  fragment.meeting = open_meeting(warp, fragment, reconverge);
  bool kept = false;
  Fragment own = fragment;
  while (left != 0) {
    const auto target = target_of_lane[__builtin_ctz(left)];
    Mask group = 0;
    for (Mask m = left; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (target_of_lane[lane] == target) group |= 1u << lane;
    }
    left &= ~group;
    if (left != 0) warp.part(program_.code[fragment.pc].counter, group, left);
    if (target == reconverge && reconverge != no_pc) {
      warp.meetings[fragment.meeting].arrived |= group;
      continue;
    }
    Fragment part = fragment;
    part.pc = target;
    part.mask = group;
    if (kept) {
      warp.fragments.push_back(part);
    } else {
      own = part;
      kept = true;
    }
  }
  fragment = own;
  return kept ? Turn::go_on : Turn::lost;
}

Turn Divergence::arrive(Warp& warp, Fragment& fragment) {
  const std::uint32_t m = fragment.meeting;
  if (m == none || warp.meetings[m].pc != fragment.pc || warp.meetings[m].activation != fragment.activation) {
    ++fragment.pc;
    return Turn::go_on;
  }
  auto& meeting = warp.meetings[m];
  meeting.arrived |= fragment.mask;
  if (meeting.arrived != meeting.expected) return Turn::lost;
  fragment.mask = meeting.expected;
  fragment.meeting = meeting.outer;
  fragment.polls = 0;
  meeting.in_use = false;
  return Turn::go_on;  // at the same pc: an outer meeting may be at this place too
}

/// No meeting expects lanes that exit any more.
void Divergence::drop_lanes(Warp& warp, std::uint32_t first, Mask lanes) {
  for (std::uint32_t m = first; m != none; m = warp.meetings[m].outer) {
    auto& meeting = warp.meetings[m];
    meeting.expected &= ~lanes;
    if (meeting.expected == 0) {
      meeting.in_use = false;
    } else if (meeting.arrived == meeting.expected) {
      Fragment fragment;
      fragment.pc = meeting.pc;
      fragment.mask = meeting.arrived;
      fragment.meeting = meeting.outer;
      fragment.activation = meeting.activation;
      fragment.frame = meeting.frame;
      fragment.local = meeting.local;
      meeting.in_use = false;
      warp.fragments.push_back(fragment);
    }
  }
}

Turn Divergence::exit_lanes(Block& block, Warp& warp, Fragment& fragment, Mask lanes) {
  warp.live &= ~lanes;
  block.exited += count_lanes(lanes);
  block.barrier_due = block.barriers_in_use != 0;
  for (std::uint32_t a = fragment.activation; a != none; a = warp.activations[a].caller)
    warp.activations[a].lanes &= ~lanes;
  const std::uint32_t meeting = fragment.meeting;
  fragment.mask &= ~lanes;
  if (fragment.mask != 0) warp.part(program_.code[fragment.pc - 1].counter, lanes, fragment.mask);
  drop_lanes(warp, meeting, lanes);
  return fragment.mask == 0 ? Turn::lost : Turn::go_on;
}

/// Whether the kernel only ends from here on.
bool Divergence::leads_to_exit(std::uint32_t pc) const {
  while (program_.code[pc].kind == Kind::reconverge) ++pc;
  const MicroOp& op = program_.code[pc];
  return op.kind == Kind::exit && op.guard_mode == MicroOp::Guard::always;
}

bool Divergence::release_waiting(Warp& warp, bool only_to_exit) {
  bool released = false;
  for (std::size_t m = 0; m < warp.meetings.size(); ++m) {
    auto& meeting = warp.meetings[m];
    if (!meeting.in_use || meeting.arrived == 0) continue;
    if (only_to_exit && !leads_to_exit(meeting.pc)) continue;
    Fragment fragment;
    fragment.pc = meeting.pc;
    fragment.mask = meeting.arrived;
    fragment.meeting = meeting.outer;
    fragment.activation = meeting.activation;
    fragment.frame = meeting.frame;
    fragment.local = meeting.local;
    meeting.expected &= ~meeting.arrived;
    meeting.arrived = 0;
    if (meeting.expected == 0) meeting.in_use = false;
    warp.fragments.push_back(fragment);
    released = true;
  }
  return released;
}

}  // namespace cudasim
