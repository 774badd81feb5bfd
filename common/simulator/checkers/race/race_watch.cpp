// SPDX-License-Identifier: MIT
#include "checkers/race/race_watch.h"

#include <algorithm>
#include <cstring>

#include "checkers/overlap/lost_updates.h"
#include "checkers/overlap/overlapping_arrays.h"
#include "checkers/race/explain/compare_and_swap.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "checkers/streams/host_touches_watch.h"
#include "checkers/streams/stream_order.h"
#include "state/async_copies.h"
#include "state/grid.h"

namespace cudasim {
namespace {

using Space = ptx::Space;

bool is_strong(Ordering ordering) {
  switch (ordering) {
    case Ordering::weak:
    case Ordering::is_volatile:
      return false;
    case Ordering::relaxed:
    case Ordering::acquire:
    case Ordering::release:
    case Ordering::acquire_release:
      return true;
  }
  return false;
}

}  // namespace

RaceWatch::RaceWatch(Grid& grid, RaceChecker& checker) : grid_(grid), checker_(checker) {
  checker.begin_launch(grid.program, grid.memory);
}

void RaceWatch::begin_block(Block& block) {
  if (block.slot >= slots_.size()) slots_.resize(block.slot + 1);
  auto& slot = slots_[block.slot];
  if (!slot) slot = std::make_unique<Slot>();
  if (grid_.program.copies_asynchronously) slot->awaited.assign(grid_.shared_bytes / 256 + 1, 0);
  checker_.begin_block(slot->block, block.linear, grid_.warps_per_block, grid_.shared_bytes);
}

void RaceWatch::arrive(const Block& block, const Warp& warp, std::uint32_t barrier, Mask lanes) {
  checker_.arrive(slots_[block.slot]->block, warp.index, barrier, lanes, warp.exists);
}

void RaceWatch::open_barrier(const Block& block, std::uint32_t barrier, const WarpLanes& lanes) {
  std::uint32_t running = 0, warps = 0;  // `warps`: those that come with all their lanes
  bool has_parts = false;
  for (const auto& warp : block.warps) {
    running |= static_cast<std::uint32_t>(warp.live != 0) << warp.index;
    const bool is_whole = lanes[warp.index] != 0 && lanes[warp.index] == warp.exists;
    warps |= static_cast<std::uint32_t>(is_whole) << warp.index;
    has_parts |= lanes[warp.index] != 0 && !is_whole;
  }
  // A barrier for a number of threads waits for those that arrive, not for warps that have exited.
  const bool counted = block.barriers[barrier].expected != 0;
  const bool all =
      counted ? static_cast<std::size_t>(__builtin_popcount(warps)) == block.warps.size() : (running & ~warps) == 0;
  RaceBlock& races = slots_[block.slot]->block;
  has_parts |= races.clocks.lanes != nullptr && !all;
  checker_.open(races, barrier, warps, all, has_parts ? &lanes : nullptr);
}

void RaceWatch::sync_warp(const Block& block, const Warp& warp, Mask lanes) {
  checker_.sync_warp(slots_[block.slot]->block, warp.index, lanes, warp.live);
}

void RaceWatch::fence(const Block& block, const Warp& warp, bool of_grid) {
  checker_.fence(slots_[block.slot]->block, warp.index, of_grid);
}

bool RaceWatch::before_again(const Step& step, const MemoryAccess& access, AccessSite& site, std::uint32_t begin) {
  if (access.ordering != Ordering::weak) return false;
  const std::uint32_t bytes = std::uint32_t{access.bytes} * access.count;
  if (step.block.copies_pending != 0 && is_awaited(step.block, begin, begin + site.most - site.least + bytes))
    return false;
  if (site.shape == nullptr) site.shape = &checker_.shape_of(site.offset, bytes);
  return RaceChecker::note(slots_[step.block.slot]->block, *site.shape, begin, step.warp.index, step.op.counter,
                           access.is_store);
}

bool RaceWatch::before_coalesced(const Step& step, const MemoryAccess& access, const AccessSite&,
                                 const CoalescedAccess& now) {
  if (access.ordering != Ordering::weak || step.block.copies_pending != 0) return false;
  AccessKind kind;
  kind.store = access.is_store;
  kind.observes = !access.is_store;
  kind.read_only = access.read_only;
  return checker_.take_coalesced(slots_[step.block.slot]->block, now, step.warp.index, step.op.counter, kind);
}

void RaceWatch::before(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
                       const LaneAddresses& at) {
  if (at.space != Space::shared && at.space != Space::global) return;
  const bool is_copy = step.op.kind == MicroOpcode::async_copy;
  if (step.block.copies_pending != 0 && !is_copy) look_for_copies(step, access.is_store, at);
  const bool is_plain = atomic == nullptr && access.ordering == Ordering::weak && !is_copy;
  const bool is_spanned = at.near() || at.how == LaneAddresses::How::coalesced;
  if (is_plain && at.space == Space::shared && is_spanned && at.bytes % 4 == 0 && at.aligned() &&
      RaceChecker::note_once(slots_[step.block.slot]->block, span_of(at), at.bytes, at.mask, step.warp.index,
                             step.op.counter, access.is_store))
    return;
  look_at(step, access, atomic, at);
}

/// Valid until the next call.
const Span& RaceWatch::span_of(const LaneAddresses& at) {
  if (at.how != LaneAddresses::How::coalesced) return at.span;
  const unsigned first = at.first_lane();
  coalesced_.least = at.least();
  coalesced_.most = at.of(at.last_lane());
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    coalesced_.offset[lane] = (at.mask >> lane & 1) * (lane - first) * at.bytes;
  return coalesced_;
}

/// Whether all lanes of `mask` store the same bytes. What an asynchronous copy stores is not known yet.
bool RaceWatch::stores_one_value(const Step& step, const MemoryAccess& access, Mask mask) {
  if (step.op.kind == MicroOpcode::async_copy) return false;
  const std::byte* const frame = step.warp.frames + step.split.frame;
  return std::all_of(access.data, access.data + access.count, [&](const MemoryAccess::Data& data) {
    const std::byte* const slot = frame + data.slot;
    const std::size_t apart = data.wide ? 8 : 4;
    // All registers are equal where each is equal to its neighbour.
    if (std::memcmp(slot, slot + apart, (kWarpSize - 2) * apart + access.bytes) == 0) return true;
    const std::byte* const first = slot + apart * static_cast<unsigned>(__builtin_ctz(mask));
    for (Mask m = mask & (mask - 1); m != 0; m &= m - 1) {
      if (std::memcmp(first, slot + apart * static_cast<unsigned>(__builtin_ctz(m)), access.bytes) != 0) return false;
    }
    return true;
  });
}

void RaceWatch::look_at(const Step& step, const MemoryAccess& access, const AtomicAccess* atomic,
                        const LaneAddresses& at) {
  Seen seen{step, access, at, {}};
  RaceChecker::Access& now = seen.now;
  now.warp = step.warp.index;
  now.instruction = step.op.counter;
  now.bytes = at.bytes;
  now.kind.store = access.is_store;
  now.kind.atomic = atomic != nullptr;
  now.kind.strong = is_strong(access.ordering);
  now.kind.is_volatile = access.ordering == Ordering::is_volatile;
  now.kind.of_block = access.of_block;
  now.kind.read_only = access.read_only;
  now.kind.observes = atomic != nullptr ? atomic->returns : !access.is_store;
  now.ordering = access.ordering;
  now.is_shared = at.space == Space::shared;
  now.is_one_value = atomic == nullptr && access.is_store && stores_one_value(step, access, at.mask);
  if (at.how == LaneAddresses::How::coalesced && at.bytes == 4) {
    now.first = at.first;
  } else if (at.how == LaneAddresses::How::coalesced || at.near()) {
    now.span = &span_of(at);
  } else {
    now.address = at.address;
  }
  for (const auto& conflict : checker_.look_at(slots_[step.block.slot]->block, now, at.mask, grid_.memory))
    report(seen, conflict);
}

/// For two plain stores: what the first left and what the second stores. If both are one instruction, neither is in
/// memory yet.
RaceWatch::Values RaceWatch::values_of(const Seen& seen, const Conflict& conflict) const {
  Values values;
  const AccessKind &now = seen.now.kind, &earlier = conflict.earlier.kind;
  if (!now.store || now.atomic || !earlier.store || earlier.atomic) return values;
  if (seen.step.op.kind == MicroOpcode::async_copy) return values;  // the bytes that it copies have not arrived yet
  const auto operand = [&](unsigned lane, std::byte* to) {
    const std::byte* frame = seen.step.warp.frames + seen.step.split.frame;
    for (unsigned i = 0; i < seen.access.count; ++i) {
      const auto& data = seen.access.data[i];
      std::memcpy(to + i * seen.access.bytes, frame + data.slot + (data.wide ? 8 : 4) * lane, seen.access.bytes);
    }
  };
  operand(conflict.lane, values.after);
  if (conflict.same_instruction) {
    operand(conflict.earlier_lane, values.before);
    values.known = true;
  } else if (const std::byte* place = grid_.place_of(seen.step.block, seen.at, conflict.lane)) {
    std::memcpy(values.before, place, seen.at.bytes);
    values.known = true;
  }
  return values;
}

/// Whether `one` is a plain load that only guesses what a compare-and-swap will find, and the other one is atomic.
bool RaceWatch::guesses(std::uint32_t one, const AccessKind& kind, const AccessKind& other) {
  if (kind.store || kind.strong || !is_device_atomic(other)) return false;
  const auto [position, is_new] = guesses_.try_emplace(one, false);
  if (is_new) position->second = only_guesses(grid_.program, one);
  return position->second;
}

void look_for_races(Checks& checks) {
  checks.race = std::make_unique<RaceChecker>();
  checks.watchers.emplace_back(watch_streams);
  checks.watchers.emplace_back(watch_host_touches);
  checks.watchers.emplace_back(watch_overlapping_arrays);
  checks.watchers.emplace_back(watch_lost_updates);
}

}  // namespace cudasim
