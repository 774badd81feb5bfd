// SPDX-License-Identifier: MIT
// Instructions between the lanes of a warp: shfl, vote, match, redux, elect, bar.warp.sync (PTX ISA, "Data Movement"
// and "Parallel Synchronization"). Each waits until the lanes that its mask names are there, wherever they come from.
#include <algorithm>
#include <cstring>

#include "machine/interpreter.h"
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

}  // namespace

/// Writes the results for the lanes in `mask`, which all take part in `participants`, whose operands are in `values`.
void Interpreter::execute_warp_operation(const Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                                         Mask mask, const std::uint64_t* values, Mask predicates, Mask participants) {
  const auto& operation = program_.warp_operations[op.extra];
  if (!operation.has_destination) return;
  if (values_ != nullptr) values_->warp_operation({block, warp, fragment, op}, mask, predicates, participants);
  std::byte* frame = warp.frames + fragment.frame;
  auto* d = reinterpret_cast<std::uint32_t*>(frame + op.d);
  auto set_predicate = [&](std::uint32_t slot, Mask value) {
    Mask bits;
    std::memcpy(&bits, frame + slot, sizeof bits);
    bits = (bits & ~mask) | (value & mask);
    std::memcpy(frame + slot, &bits, sizeof bits);
  };
  const Mask votes = predicates & participants;
  switch (operation.mode) {
    case Mode::shuffle_up:
    case Mode::shuffle_down:
    case Mode::shuffle_butterfly:
    case Mode::shuffle_index: {
      for (const auto& watcher : watchers_) watcher->shuffle({block, warp, fragment, op}, mask);
      const auto* b = reinterpret_cast<const std::uint32_t*>(frame + op.b);
      const auto* c = reinterpret_cast<const std::uint32_t*>(frame + op.c);
      Mask valid = 0;
      std::uint32_t result[warp_size];
      for (Mask m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        bool in_range = false;
        const unsigned from = shuffle_source(operation.mode, lane, b[lane], c[lane], in_range);
        // A lane that takes no part has no value to give (undefined in the manual): the reader keeps its own.
        result[lane] = static_cast<std::uint32_t>(((participants >> from) & 1) != 0 ? values[from] : values[lane]);
        valid |= Mask{in_range} << lane;
      }
      for (Mask m = mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = result[__builtin_ctz(m)];
      if (operation.has_predicate) set_predicate(op.e, valid);
      return;
    }
    case Mode::vote_all:
      return set_predicate(op.d, votes == participants ? ~0u : 0);
    case Mode::vote_any:
      return set_predicate(op.d, votes != 0 ? ~0u : 0);
    case Mode::vote_uniform:
      return set_predicate(op.d, votes == 0 || votes == participants ? ~0u : 0);
    case Mode::vote_ballot:
      for (Mask m = mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = votes;
      return;
    case Mode::match_any:
    case Mode::match_all: {
      Mask equal[warp_size];
      for (Mask m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        equal[lane] = 0;
        for (Mask p = participants; p != 0; p &= p - 1) {
          const auto other = static_cast<unsigned>(__builtin_ctz(p));
          if (values[other] == values[lane]) equal[lane] |= 1u << other;
        }
      }
      const bool all = equal[__builtin_ctz(mask)] == participants;
      for (Mask m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        d[lane] = operation.mode == Mode::match_any ? equal[lane] : all ? participants : 0;
      }
      if (operation.has_predicate) set_predicate(op.e, all ? ~0u : 0);
      return;
    }
    case Mode::elect: {
      const auto leader = static_cast<unsigned>(__builtin_ctz(participants));
      for (Mask m = mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = leader;
      if (operation.has_predicate) set_predicate(op.e, 1u << leader);
      return;
    }
    case Mode::reduce_add:
    case Mode::reduce_min:
    case Mode::reduce_max:
    case Mode::reduce_and:
    case Mode::reduce_or:
    case Mode::reduce_xor: {
      const std::uint32_t result = reduce(operation, values, participants);
      for (Mask m = mask; m != 0; m &= m - 1) d[__builtin_ctz(m)] = result;
      return;
    }
    case Mode::sync:
      return;
  }
}

namespace {

/// The operand of each lane that others may read.
void gather(const std::byte* frame, const MicroOp& op, const WarpOperation& operation, Mask mask, std::uint64_t* values,
            Mask& predicates) {
  const bool votes = op.kind == Kind::vote;
  if (votes) {
    Mask bits;
    std::memcpy(&bits, frame + op.a, sizeof bits);
    predicates = (predicates & ~mask) | (bits & mask);
    return;
  }
  if (op.kind == Kind::warp_sync || op.kind == Kind::elect) return;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    values[lane] = operation.wide ? reinterpret_cast<const std::uint64_t*>(frame + op.a)[lane]
                                  : reinterpret_cast<const std::uint32_t*>(frame + op.a)[lane];
  }
}

/// Whether a distance is more than a warp has lanes, or a width no power of two: told by the first lane, as a mistake
/// is mostly the same in all.
bool is_odd_shuffle(const std::byte* frame, const MicroOp& op, const WarpOperation& operation, Mask mask) {
  const std::size_t lane = 4 * static_cast<std::size_t>(__builtin_ctz(mask));
  std::uint32_t distance, segment;
  std::memcpy(&distance, frame + op.b + lane, 4);
  std::memcpy(&segment, frame + op.c + lane, 4);
  return (distance >= warp_size && operation.mode != Mode::shuffle_index) || !is_shuffle_width(segment);
}

}  // namespace

void Interpreter::sync_warp(const Block& block, Warp& warp, Mask lanes) const {
  warp.heard_of = block.copies_started;
  for (const auto& watcher : watchers_) watcher->sync_warp(block, warp, lanes);
}

/// A shuffle in which the lanes in `mask` name each other and no other live lane.
void Interpreter::shuffle_at_once(std::byte* frame, const WarpOperation& operation, const MicroOp& op, Mask mask) {
  const auto way = static_cast<ShuffleWay>(operation.mode);
  static_assert(static_cast<int>(ShuffleWay::index) == static_cast<int>(Mode::shuffle_index), "in the same order");
  const Mask in_range = kernels_.shuffle(way, frame + op.d, frame + op.a, frame + op.b, frame + op.c, mask);
  if (!operation.has_predicate) return;
  Mask bits;
  std::memcpy(&bits, frame + op.e, sizeof bits);
  bits = (bits & ~mask) | (in_range & mask);
  std::memcpy(frame + op.e, &bits, sizeof bits);
}

Sync Interpreter::warp_operation(Block& block, Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask) {
  if (values_ != nullptr) values_->decision({block, warp, fragment, op}, op.f, mask);
  std::byte* frame = warp.frames + fragment.frame;
  const auto* masks = reinterpret_cast<const std::uint32_t*>(frame + op.f);
  // Lanes of one instruction may name different masks: tiles of cooperative groups do. As a rule they do not.
  const Mask first_named = masks[__builtin_ctz(mask)];
  const bool one_mask = (first_named & mask) == mask && kernels_.uniform32(masks, mask);
  bool complete = !one_mask || (first_named & warp.live & ~mask) == 0;
  for (Mask m = one_mask ? 0 : mask; m != 0 && complete; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    complete = (masks[lane] & warp.live & ~mask) == 0;
    if (((masks[lane] >> lane) & 1) == 0) {
      report_unnamed_caller(grid_, {block, warp, fragment, op}, mask, lane);
      return Sync::fault;
    }
  }
  if (!complete) {
    wait_for_warp(warp, fragment, op, mask);
    return Sync::parked;
  }
  const auto& operation = program_.warp_operations[op.extra];
  if (op.kind == Kind::shuffle && is_odd_shuffle(frame, op, operation, mask))
    report_odd_shuffle(grid_, {block, warp, fragment, op}, mask);
  const bool all_defined = values_ == nullptr || (mask == ~0u && !warp.values->any);
  if (one_mask && op.kind == Kind::shuffle && all_defined) {
    for (const auto& watcher : watchers_) watcher->shuffle({block, warp, fragment, op}, mask);
    shuffle_at_once(frame, operation, op, mask);
    ++fragment.pc;
    return Sync::passed;
  }
  std::uint64_t values[warp_size];
  Mask predicates = 0;
  gather(frame, op, operation, mask, values, predicates);
  if (values_ != nullptr) values_->gather(warp, fragment, op, mask);
  for (Mask left = mask; left != 0;) {
    const std::uint32_t named = masks[__builtin_ctz(left)];
    Mask group = one_mask ? mask : 0;
    for (Mask m = left & ~group; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (masks[lane] == named) group |= 1u << lane;
    }
    execute_warp_operation(block, warp, fragment, op, group, values, predicates, named & mask);
    if (op.kind == Kind::warp_sync) sync_warp(block, warp, named & mask);
    left &= ~group;
  }
  ++fragment.pc;
  return Sync::passed;
}

/// Warp-wide instructions at which all lanes that they name have arrived, from different places of the program, are
/// executed together. True when some were.
bool Interpreter::complete_warp_operations(Block& block, Warp& warp) {
  const auto waits = [&](const Fragment& f) {
    return f.state == Fragment::State::at_warp_operation && program_.code[f.pc].kind != Kind::matrix;
  };
  if (std::none_of(warp.fragments.begin(), warp.fragments.end(), waits)) return false;
  Mask ready = 0;
  std::uint32_t named[warp_size] = {};
  Kind kinds[warp_size] = {};
  for (const auto& f : warp.fragments) {
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
  // Take away lanes that wait for absent ones, or for ones at another kind of instruction, until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& f : warp.fragments) {
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
  if (ready == 0) return false;
  std::uint64_t values[warp_size] = {};
  Mask predicates = 0;
  for (const auto& f : warp.fragments) {
    if (f.state != Fragment::State::at_warp_operation || (f.mask & ready) == 0) continue;
    const auto& op = program_.code[f.pc];
    gather(warp.frames + f.frame, op, program_.warp_operations[op.extra], f.mask, values, predicates);
    if (values_ != nullptr) values_->gather(warp, f, op, f.mask);
  }
  for (auto& f : warp.fragments) {
    if (f.state != Fragment::State::at_warp_operation || (f.mask & ready) == 0) continue;
    const auto& op = program_.code[f.pc];
    for (Mask left = f.mask; left != 0;) {
      const std::uint32_t mask = named[__builtin_ctz(left)];
      Mask group = 0;
      for (Mask m = left; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        if (named[lane] == mask) group |= 1u << lane;
      }
      execute_warp_operation(block, warp, f, op, group, values, predicates, mask & ready);
      if (op.kind == Kind::warp_sync) sync_warp(block, warp, mask & ready);
      left &= ~group;
    }
    f.state = Fragment::State::runnable;
    ++f.pc;
  }
  return true;
}

}  // namespace cudasim
