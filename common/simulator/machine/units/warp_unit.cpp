// SPDX-License-Identifier: MIT
#include "machine/units/warp_unit.h"

#include <algorithm>
#include <cstring>

#include "messages/shuffle_messages.h"
#include "state/shuffle.h"

namespace cudasim {

using Mode = WarpOperation::Mode;

namespace {

std::uint32_t reduce(const WarpOperation& operation, const std::uint64_t* values, Mask group) {
  auto result = static_cast<std::uint32_t>(values[__builtin_ctz(group)]);
  for (Mask m = group & (group - 1); m != 0; m &= m - 1) {
    const auto v = static_cast<std::uint32_t>(values[__builtin_ctz(m)]);
    const bool less =
        operation.is_signed ? static_cast<std::int32_t>(v) < static_cast<std::int32_t>(result) : v < result;
    switch (operation.mode) {
      case Mode::reduce_add:
        result += v;
        break;
      case Mode::reduce_min:
        result = less ? v : result;
        break;
      case Mode::reduce_max:
        result = less ? result : v;
        break;
      case Mode::reduce_and:
        result &= v;
        break;
      case Mode::reduce_or:
        result |= v;
        break;
      default:
        result ^= v;
        break;
    }
  }
  return result;
}

/// Whether a distance is larger than the lanes of a warp, or a width is no power of two. Only the first lane is
/// reported, as most mistakes are the same in all lanes.
bool is_odd_shuffle(const std::byte* frame, const MicroOp& op, const WarpOperation& operation, Mask mask) {
  const std::size_t lane = 4 * static_cast<std::size_t>(__builtin_ctz(mask));
  std::uint32_t distance, segment;
  std::memcpy(&distance, frame + op.b + lane, 4);
  std::memcpy(&segment, frame + op.c + lane, 4);
  return (distance >= kWarpSize && operation.mode != Mode::shuffle_index) || !is_shuffle_width(segment);
}

void set_predicate(std::byte* slot, Mask value, Mask mask) {
  Mask bits;
  std::memcpy(&bits, slot, sizeof bits);
  bits = (bits & ~mask) | (value & mask);
  std::memcpy(slot, &bits, sizeof bits);
}

/// One word for all lanes in `mask`.
void fill(std::uint32_t* words, std::uint32_t value, Mask mask) {
  for (Mask m = mask; m != 0; m &= m - 1) words[__builtin_ctz(m)] = value;
}

}  // namespace

/// The operand of each lane that others may read.
void WarpUnit::gather(const Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask,
                      Operands& operands) const {
  if (values_ != nullptr) values_->gather(warp, split, op, mask);
  const std::byte* const slot = warp.frames + split.frame + op.a;
  if (op.kind == MicroOpcode::vote) {
    Mask bits;
    std::memcpy(&bits, slot, sizeof bits);
    operands.predicates = (operands.predicates & ~mask) | (bits & mask);
    return;
  }
  if (op.kind == MicroOpcode::warp_sync || op.kind == MicroOpcode::elect) return;
  const bool wide = program_.warp_operations[op.extra].wide;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    operands.values[lane] =
        wide ? reinterpret_cast<const std::uint64_t*>(slot)[lane] : reinterpret_cast<const std::uint32_t*>(slot)[lane];
  }
}

void WarpUnit::shuffle(const Step& step, Mask mask, const Operands& operands, Mask participants) {
  const MicroOp& op = step.op;
  const auto& operation = program_.warp_operations[op.extra];
  for (const auto& watcher : watchers_) watcher->shuffle(step, mask);
  std::byte* const frame = step.warp.frames + step.split.frame;
  auto* const d = reinterpret_cast<std::uint32_t*>(frame + op.d);
  const auto* b = reinterpret_cast<const std::uint32_t*>(frame + op.b);
  const auto* c = reinterpret_cast<const std::uint32_t*>(frame + op.c);
  Mask valid = 0;
  std::uint32_t result[kWarpSize];
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    bool in_range = false;
    const unsigned from = shuffle_source(operation.mode, lane, b[lane], c[lane], in_range);
    // A lane that takes no part has no value to give (undefined in the manual): the lane that reads it keeps its own.
    const unsigned giver = ((participants >> from) & 1) != 0 ? from : lane;
    result[lane] = static_cast<std::uint32_t>(operands.values[giver]);
    valid |= Mask{in_range} << lane;
  }
  for (Mask m = mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = result[__builtin_ctz(m)];
  if (operation.has_predicate) set_predicate(frame + op.e, valid, mask);
}

void WarpUnit::match(const Step& step, const WarpOperation& operation, Mask mask, const Operands& operands,
                     Mask participants) {
  Mask equal[kWarpSize];
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    equal[lane] = 0;
    for (Mask p = participants; p != 0; p &= p - 1) {
      const auto other = static_cast<unsigned>(__builtin_ctz(p));
      if (operands.values[other] == operands.values[lane]) equal[lane] |= 1u << other;
    }
  }
  const bool all = equal[__builtin_ctz(mask)] == participants;
  std::byte* const frame = step.warp.frames + step.split.frame;
  auto* const d = reinterpret_cast<std::uint32_t*>(frame + step.op.d);
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    d[lane] = operation.mode == Mode::match_any ? equal[lane] : all ? participants : 0;
  }
  if (operation.has_predicate) set_predicate(frame + step.op.e, all ? ~0u : 0, mask);
}

/// Writes the results for the lanes in `mask`, which all take part in `participants`.
void WarpUnit::write_results(const Step& step, Mask mask, const Operands& operands, Mask participants) {
  const MicroOp& op = step.op;
  const auto& operation = program_.warp_operations[op.extra];
  if (!operation.has_destination) return;
  if (values_ != nullptr) values_->warp_operation(step, mask, operands.predicates, participants);
  std::byte* const frame = step.warp.frames + step.split.frame;
  auto* const d = reinterpret_cast<std::uint32_t*>(frame + op.d);
  const Mask votes = operands.predicates & participants;
  switch (operation.mode) {
    case Mode::shuffle_up:
    case Mode::shuffle_down:
    case Mode::shuffle_butterfly:
    case Mode::shuffle_index:
      return shuffle(step, mask, operands, participants);
    case Mode::vote_all:
      return set_predicate(frame + op.d, votes == participants ? ~0u : 0, mask);
    case Mode::vote_any:
      return set_predicate(frame + op.d, votes != 0 ? ~0u : 0, mask);
    case Mode::vote_uniform:
      return set_predicate(frame + op.d, votes == 0 || votes == participants ? ~0u : 0, mask);
    case Mode::vote_ballot:
      return fill(d, votes, mask);
    case Mode::match_any:
    case Mode::match_all:
      return match(step, operation, mask, operands, participants);
    case Mode::elect: {
      const auto leader = static_cast<unsigned>(__builtin_ctz(participants));
      fill(d, leader, mask);
      if (operation.has_predicate) set_predicate(frame + op.e, 1u << leader, mask);
      return;
    }
    case Mode::reduce_add:
    case Mode::reduce_min:
    case Mode::reduce_max:
    case Mode::reduce_and:
    case Mode::reduce_or:
    case Mode::reduce_xor:
      return fill(d, reduce(operation, operands.values, participants), mask);
    case Mode::sync:
      return;
  }
}

void WarpUnit::sync_lanes(const Block& block, Warp& warp, Mask lanes) const {
  warp.known_copies = block.copies_started;
  for (const auto& watcher : watchers_) watcher->sync_warp(block, warp, lanes);
}

/// A shuffle in which the lanes in `mask` name each other and no other live lane.
void WarpUnit::shuffle_at_once(std::byte* frame, const WarpOperation& operation, const MicroOp& op, Mask mask) {
  const auto mode = static_cast<ShuffleMode>(operation.mode);
  static_assert(static_cast<int>(ShuffleMode::index) == static_cast<int>(Mode::shuffle_index), "in the same order");
  const Mask in_range = kernels_.shuffle(mode, frame + op.d, frame + op.a, frame + op.b, frame + op.c, mask);
  if (operation.has_predicate) set_predicate(frame + op.e, in_range, mask);
}

Sync WarpUnit::execute(Block& block, Warp& warp, WarpSplit& split, const MicroOp& op, Mask mask) {
  if (values_ != nullptr) values_->decision({block, warp, split, op}, op.f, mask);
  std::byte* frame = warp.frames + split.frame;
  const auto* masks = reinterpret_cast<const std::uint32_t*>(frame + op.f);
  // Lanes of one instruction may name different masks, as in tiles of cooperative groups. Most do not.
  const Mask first_named = masks[__builtin_ctz(mask)];
  const bool one_mask = (first_named & mask) == mask && kernels_.uniform32(masks, mask);
  bool complete = !one_mask || (first_named & warp.live & ~mask) == 0;
  for (Mask m = one_mask ? 0 : mask; m != 0 && complete; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    complete = (masks[lane] & warp.live & ~mask) == 0;
    if (((masks[lane] >> lane) & 1) == 0) {
      report_unnamed_caller(grid_, {block, warp, split, op}, mask, lane);
      return Sync::fault;
    }
  }
  if (!complete) {
    warp.wait_for_lanes(split, op.counter, mask);
    return Sync::parked;
  }
  const auto& operation = program_.warp_operations[op.extra];
  if (op.kind == MicroOpcode::shuffle && is_odd_shuffle(frame, op, operation, mask))
    report_odd_shuffle(grid_, {block, warp, split, op}, mask);
  const bool all_defined = values_ == nullptr || (mask == ~0u && !warp.values->any);
  if (one_mask && op.kind == MicroOpcode::shuffle && all_defined) {
    for (const auto& watcher : watchers_) watcher->shuffle({block, warp, split, op}, mask);
    shuffle_at_once(frame, operation, op, mask);
    ++split.pc;
    return Sync::passed;
  }
  Operands operands;
  gather(warp, split, op, mask, operands);
  for (Mask left = mask; left != 0;) {
    const std::uint32_t named = masks[__builtin_ctz(left)];
    Mask group = one_mask ? mask : 0;
    for (Mask m = left & ~group; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (masks[lane] == named) group |= 1u << lane;
    }
    write_results({block, warp, split, op}, group, operands, named & mask);
    if (op.kind == MicroOpcode::warp_sync) sync_lanes(block, warp, named & mask);
    left &= ~group;
  }
  ++split.pc;
  return Sync::passed;
}

/// Whether the split waits at an instruction of this unit.
bool WarpUnit::waits(const WarpSplit& split) const {
  return split.state == WarpSplit::State::at_warp_operation && program_.code[split.pc].kind != MicroOpcode::matrix;
}

/// The lanes that wait for no absent one. `named`: by lane that waits, the lanes that its mask names.
Mask WarpUnit::ready_lanes(const Warp& warp, std::uint32_t* named) const {
  Mask ready = 0;
  MicroOpcode kinds[kWarpSize] = {};
  for (const auto& f : warp.splits) {
    if (!waits(f)) continue;
    const auto& op = program_.code[f.pc];
    const auto* masks = reinterpret_cast<const std::uint32_t*>(warp.frames + f.frame + op.f);
    for (Mask m = f.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      named[lane] = masks[lane];
      kinds[lane] = op.kind;
      ready |= 1u << lane;
    }
  }
  // Remove lanes that wait for absent ones, or for ones at another kind of instruction, until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& f : warp.splits) {
      if (!waits(f) || (f.mask & ready) == 0) continue;
      bool whole = (f.mask & ~ready) == 0;
      for (Mask m = f.mask; m != 0 && whole; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        const Mask wanted = named[lane] & warp.live;
        whole = (wanted & ~ready) == 0;
        for (Mask w = wanted & ready; w != 0 && whole; w &= w - 1) {
          const auto other = static_cast<unsigned>(__builtin_ctz(w));
          whole = kinds[other] == kinds[lane] && named[other] == named[lane];
        }
      }
      if (!whole) {
        ready &= ~f.mask;
        changed = true;
      }
    }
  }
  return ready;
}

bool WarpUnit::complete(Block& block, Warp& warp) {
  if (std::none_of(warp.splits.begin(), warp.splits.end(), [&](const WarpSplit& f) { return waits(f); })) return false;
  std::uint32_t named[kWarpSize] = {};
  const Mask ready = ready_lanes(warp, named);
  if (ready == 0) return false;
  Operands operands;
  for (const auto& f : warp.splits) {
    if (f.state != WarpSplit::State::at_warp_operation || (f.mask & ready) == 0) continue;
    const auto& op = program_.code[f.pc];
    gather(warp, f, op, f.mask, operands);
  }
  for (auto& f : warp.splits) {
    if (f.state != WarpSplit::State::at_warp_operation || (f.mask & ready) == 0) continue;
    const auto& op = program_.code[f.pc];
    for (Mask left = f.mask; left != 0;) {
      const std::uint32_t mask = named[__builtin_ctz(left)];
      Mask group = 0;
      for (Mask m = left; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        if (named[lane] == mask) group |= 1u << lane;
      }
      write_results({block, warp, f, op}, group, operands, mask & ready);
      if (op.kind == MicroOpcode::warp_sync) sync_lanes(block, warp, mask & ready);
      left &= ~group;
    }
    f.state = WarpSplit::State::runnable;
    ++f.pc;
  }
  return true;
}

}  // namespace cudasim
