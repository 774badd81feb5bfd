// SPDX-License-Identifier: MIT
#include "machine/units/copy_unit.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "program/copy_slots.h"

namespace cudasim {
namespace {

/// The most copies that a warp without waits has under way. The oldest is then done, as it may be on a GPU.
constexpr std::size_t kMostPending = 1000;

}  // namespace

bool CopyUnit::step(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) {
  switch (op.kind) {
    case MicroOpcode::async_copy:
      return start_copy(block, warp, split, op, mask);
    case MicroOpcode::async_commit:
      for (Mask m = warp.copies != nullptr ? mask : 0; m != 0; m &= m - 1) ++warp.copies->committed[__builtin_ctz(m)];
      return true;
    case MicroOpcode::async_wait:
      return warp.copies == nullptr || wait_for_copies(block, warp, op.extra, mask);
    case MicroOpcode::async_arrive:
      start_arrival(block, warp, split, op, mask);
      return true;
    default:
      return !block.arrivals_pending || make_arrivals(block, warp, split, op, mask);
  }
}

/// `at` with fewer lanes.
void CopyUnit::restrict_to(LaneAddresses& at, Mask mask) const {
  if (mask == at.mask) return;
  at.spell_out();
  at.how = LaneAddresses::How::apart;
  at.mask = mask;
  if (mask != 0) kernels_.span(at.address, mask, at.span);
}

/// Reports the error of the first lane that may not touch its place.
bool CopyUnit::is_in_bounds(Block& block, Warp& warp, const MicroOp& op, const MemoryAccess& access,
                            const LaneAddresses& at) {
  const bool as_a_whole = at.how == LaneAddresses::How::coalesced || at.near();
  if (as_a_whole && at.aligned() && memory_.resolve_span(block, warp, at, access.is_store) != nullptr) return true;
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    FindingKind problem;
    if (memory_.resolve(block, warp, at, lane, access.is_store, problem) != nullptr) continue;
    memory_.fault(block, warp, op, at.space, at.of(lane), lane, at.bytes, access.is_store, problem);
    return false;
  }
  return true;
}

bool CopyUnit::start_copy(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) {
  const MemoryAccess &from = program_.accesses[op.extra], &to = program_.accesses[op.extra + 1];
  WarpCopies& copies = *warp.copies;
  const Mask all = mask;
  if (values_ != nullptr) {
    const Step step{block, warp, split, op};
    values_->base(step, from, all);
    values_->base(step, to, all);
    if (op.a != 0) values_->decision(step, op.a, all, ValueUse::address);
  }
  // Lanes that have committed differently often are in groups of different numbers.
  while (mask != 0) {
    const std::uint32_t group = copies.committed[__builtin_ctz(mask)];
    Mask same = mask;
    for (Mask m = kernels_.uniform32(copies.committed, mask) ? 0 : mask; m != 0; m &= m - 1) {
      if (copies.committed[__builtin_ctz(m)] != group) same &= ~(m & (0 - m));
    }
    mask &= ~same;

    PendingCopy& copy = copies.start();
    copy.lanes = same;
    copy.group = group;
    copy.op = &op;
    copy.in_block = ++block.copies_started;
    memory_.locate(warp, split, op, to, same, copy.to);
    memory_.locate(warp, split, op, from, same, copy.from);
    if (op.a != 0) {
      const auto* bytes = reinterpret_cast<const std::uint32_t*>(warp.frames + split.frame + op.a);
      for (Mask m = same; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        if (bytes[lane] >= copy.from.bytes) continue;
        copy.shortened |= 1u << lane;
        copy.bytes[lane] = static_cast<std::uint8_t>(bytes[lane]);
        copy.source[lane] = copy.from.of(lane);
      }
      restrict_to(copy.from, same & ~copy.shortened);
    }
    if (!is_in_bounds(block, warp, op, to, copy.to)) return false;
    if (copy.from.mask != 0 && !is_in_bounds(block, warp, op, from, copy.from)) return false;
    for (Mask m = copy.shortened; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      LaneAddresses byte = copy.from;
      byte.how = LaneAddresses::How::apart;
      byte.mask = 1u << lane;
      byte.bytes = 1;
      for (std::uint32_t i = 0; i < copy.bytes[lane]; ++i) {
        byte.address[lane] = byte.span.least = byte.span.most = byte.span.bits = copy.source[lane] + i;
        if (!is_in_bounds(block, warp, op, from, byte)) return false;
      }
    }
    if (!watchers_.empty()) {
      fetch(block, warp, copy, same);
      WarpSplit through;
      through.frame = copy_frame_;
      for (const auto& watcher : watchers_) watcher->start_copy({block, warp, through, op}, copy);
    }
    ++block.copies_pending;
    ++copies.under_way;
    if (copies.pending.size() - copies.first > kMostPending) {
      PendingCopy& oldest = copies.pending[copies.first];
      if (oldest.lanes != 0 && !make_copy(block, warp, oldest, oldest.lanes)) return false;
    }
  }
  return true;
}

/// Copies the source's bytes as they are now into the slots through which they pass; zeros behind those of shortened
/// lanes.
void CopyUnit::fetch(const Block& block, Warp& warp, const PendingCopy& copy, Mask lanes) {
  std::byte* const frame = warp.frames + copy_frame_;
  const bool near = copy.from.mask != 0 && (copy.from.how == LaneAddresses::How::coalesced || copy.from.near());
  const std::uint64_t least = near ? copy.from.least() : 0;
  const std::byte* const all = near ? grid_.place_of(block, copy.from, least, copy.from.end() - least) : nullptr;
  for (Mask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const bool whole = (copy.shortened >> lane & 1) == 0;
    const std::uint64_t source = whole ? copy.from.of(lane) : copy.source[lane];
    const std::uint32_t bytes = whole ? copy.from.bytes : copy.bytes[lane];
    std::uint32_t words[4] = {};
    const std::byte* const memory = all != nullptr && whole ? all + (source - least)
                                    : bytes != 0            ? grid_.place_of(block, copy.from, source, bytes)
                                                            : nullptr;
    if (memory != nullptr) std::memcpy(words, memory, bytes);
    for (std::uint32_t i = 0; i < copy.to.bytes / 4; ++i)
      std::memcpy(frame + copied_word(i) + 4 * lane, &words[i], sizeof words[i]);
  }
}

/// The copy takes effect, for these lanes.
bool CopyUnit::make_copy(Block& block, Warp& warp, PendingCopy& copy, Mask lanes) {
  const MicroOp& op = *copy.op;
  const MemoryAccess &from = program_.accesses[op.extra], &to = program_.accesses[op.extra + 1];
  for (const auto& watcher : watchers_) watcher->make_copy(block, copy, lanes);
  PendingCopy some;
  PendingCopy* now = &copy;
  if (lanes != copy.lanes) {
    some = copy;
    restrict_to(some.from, some.from.mask & lanes);
    restrict_to(some.to, lanes);
    now = &some;
  }
  copy.lanes &= ~lanes;
  if (copy.lanes == 0) {
    --block.copies_pending;
    --warp.copies->under_way;
  } else {
    restrict_to(copy.from, copy.from.mask & copy.lanes);
    restrict_to(copy.to, copy.lanes);
  }
  WarpSplit through;
  through.frame = copy_frame_;
  const Mask shortened = copy.shortened & lanes;
  if (shortened != 0) {
    fetch(block, warp, copy, shortened);
    Mask read = 0;
    for (Mask m = shortened; m != 0; m &= m - 1) {
      if (copy.bytes[__builtin_ctz(m)] != 0) read |= m & (0 - m);
    }
    if (read != 0) {
      LaneAddresses part = copy.from;
      part.how = LaneAddresses::How::apart;
      std::copy(std::begin(copy.source), std::end(copy.source), std::begin(part.address));
      part.mask = read;
      kernels_.span(part.address, part.mask, part.span);
      memory_.count(op, from, ptx::Space::global, passes_of(kernels_, from, part));
      memory_.count_lines(op, from, part);
    }
    if (values_ != nullptr) values_->fetch({block, warp, through, op}, copy, shortened, read);
  }
  if (now->from.mask != 0) {
    memory_.remember(from, now->from);
    if (!memory_.access_located(block, warp, through, op, from, now->from)) return false;
  }
  memory_.remember(to, now->to);
  return memory_.access_located(block, warp, through, op, to, now->to);
}

bool CopyUnit::wait_for_copies(Block& block, Warp& warp, std::uint32_t groups_left, Mask mask) {
  WarpCopies& copies = *warp.copies;
  const bool alike = kernels_.uniform32(copies.committed, mask);
  for (std::size_t i = copies.first; i < copies.pending.size(); ++i) {
    PendingCopy& copy = copies.pending[i];
    Mask due = copy.lanes & mask;
    if (due == 0) continue;
    const auto left = [&](int lane) {
      return groups_left != kEveryCopy && std::uint64_t{copy.group} + groups_left >= copies.committed[lane];
    };
    if (alike) {
      if (left(__builtin_ctz(mask))) due = 0;
    } else {
      for (Mask m = due; m != 0; m &= m - 1) {
        if (left(__builtin_ctz(m))) due &= ~(m & (0 - m));
      }
    }
    if (due != 0 && !make_copy(block, warp, copy, due)) return false;
  }
  return true;
}

void CopyUnit::start_arrival(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) {
  const MemoryAccess& word = program_.atomics[op.extra].address;
  while (mask != 0) {
    PendingArrival& arrival = warp.copies->arrivals.emplace_back();
    mask = memory_.locate(warp, split, op, word, mask, arrival.barrier);
    arrival.barrier.spell_out();
    arrival.lanes = arrival.barrier.mask;
    arrival.number = warp.copies->started;
    arrival.op = &op;
    for (Mask m = op.e != 0 ? arrival.lanes : 0; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      FindingKind problem;
      std::byte* const memory = memory_.resolve(block, warp, arrival.barrier, lane, true, problem);
      if (memory != nullptr) __atomic_fetch_add(reinterpret_cast<std::uint64_t*>(memory), 1, __ATOMIC_RELAXED);
    }
  }
  block.arrivals_pending = true;
}

/// A thread tests whether a phase of these barriers is over. Arrivals that are due there when their copies are made
/// happen now.
bool CopyUnit::make_arrivals(Block& block, const Warp& warp, const WarpSplit& split, const MicroOp& op, Mask mask) {
  LaneAddresses asked;
  memory_.locate(warp, split, op, program_.accesses[op.extra], mask, asked);
  const std::uint64_t barrier = asked.of(asked.first_lane());
  for (Warp& owner : block.warps) {
    auto& arrivals = owner.copies->arrivals;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      PendingArrival arrival = arrivals[i];
      Mask due = 0;
      for (Mask m = arrival.lanes; m != 0; m &= m - 1) {
        if (arrival.barrier.address[__builtin_ctz(m)] == barrier) due |= m & (0 - m);
      }
      if (due == 0) continue;
      arrivals[i].lanes &= ~due;
      for (std::size_t c = owner.copies->first; c < owner.copies->pending.size(); ++c) {
        PendingCopy& copy = owner.copies->pending[c];
        if (copy.number >= arrival.number) break;
        if ((copy.lanes & due) != 0 && !make_copy(block, owner, copy, copy.lanes & due)) return false;
      }
      WarpSplit through;
      through.frame = copy_frame_;
      kernels_.fill64(owner.frames + copy_frame_ + kArrivingSlot, 1, ~0u);
      restrict_to(arrival.barrier, due);
      const AtomicAccess& atomic = program_.atomics[arrival.op->extra];
      if (!atomics_.update_located(block, owner, through, *arrival.op, atomic, arrival.barrier)) return false;
    }
    arrivals.erase(
        std::remove_if(arrivals.begin(), arrivals.end(), [](const PendingArrival& a) { return a.lanes == 0; }),
        arrivals.end());
  }
  return true;
}

/// The block has ended: copies without a wait are made and counted, and no watcher sees them.
void CopyUnit::finish(Block& block) {
  if (block.copies_pending == 0) return;
  const auto watchers = std::exchange(worker_.watchers, {});
  for (Warp& warp : block.warps) wait_for_copies(block, warp, kEveryCopy, ~0u);
  worker_.watchers = watchers;
}

}  // namespace cudasim
