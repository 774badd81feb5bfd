// SPDX-License-Identifier: MIT
#include "checkers/race/race_watch.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "checkers/overlap/lost_updates.h"
#include "checkers/overlap/overlapping_arrays.h"
#include "checkers/race/explain/compare_and_swap.h"
#include "checkers/race/explain/race_messages.h"
#include "checkers/race/explain/race_place.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "checkers/streams/host_touches_watch.h"
#include "checkers/streams/stream_order.h"
#include "messages/describe_address.h"
#include "messages/element.h"
#include "messages/finding_messages.h"
#include "state/async_copies.h"
#include "state/grid.h"

namespace cudasim {
namespace {

using Space = ptx::Space;

unsigned width_of(const std::string& scope) { return scope == "grid" ? 2 : scope == "block" ? 1 : 0; }

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

/// Whether two stores leave the same bytes wherever both have stored. What a wide store writes beside that is its own.
static bool are_equal(const std::byte* before, const std::byte* after, const Conflict& conflict, std::uint32_t bytes) {
  const std::uint32_t size = conflict.granule_bytes;
  if (size == 0 || size > bytes || conflict.address < conflict.access_address) {
    return std::memcmp(before, after, bytes) == 0;
  }
  std::uint32_t at = static_cast<std::uint32_t>(conflict.address - conflict.access_address);
  for (std::uint32_t left = conflict.granules; left != 0 && at + size <= bytes; left >>= 1, at += size) {
    if ((left & 1u) != 0 && std::memcmp(before + at, after + at, size) != 0) return false;
  }
  return true;
}

void RaceWatch::report(const Seen& seen, const Conflict& conflict) {
  const RaceChecker::Access& now = seen.now;
  const Segment& earlier = conflict.earlier;
  const std::uint64_t block = seen.step.block.linear;
  const Values values = values_of(seen, conflict);
  if (values.known && are_equal(values.before, values.after, conflict, now.bytes)) return;
  if (guesses(now.instruction, now.kind, earlier.kind) || guesses(earlier.instruction, earlier.kind, now.kind)) return;
  if (grid_.is_speculative) return grid_.give_up();
  const auto first = std::min(now.instruction, earlier.instruction);
  const auto second = std::max(now.instruction, earlier.instruction);
  const std::string scope = earlier.block != block ? "grid" : earlier.warp != now.warp ? "block" : "warp";
  const std::uint64_t key = (std::uint64_t{first} << 32 | second) * 3 + width_of(scope);
  const auto known = by_pair_.find(key);
  if (known != by_pair_.end()) {
    ++found_[known->second].finding.occurrences;
    return;
  }
  // The same two lines again, by other instructions or in a wider scope, are one finding with the widest scope. An
  // unrolled loop has thousands of such pairs, and the words of a finding cost much.
  const SourceLine other_line = grid_.program.source_line(earlier.instruction);
  const auto same = found_at(grid_.program.source_line(now.instruction), other_line);
  if (same != found_.end()) ++same->finding.occurrences;
  if (same != found_.end() && width_of(scope) <= width_of(same->finding.scope)) {
    by_pair_[key] = static_cast<std::size_t>(same - found_.begin());
    return;
  }
  Finding g = finding_at(grid_, block, now.warp, now.instruction, 1u << conflict.lane, FindingKind::race);
  if (values.known) {
    const Element element = element_of(grid_.program, g.ptx_line);
    g.value_before = value_text(element, values.before, now.bytes);
    g.value_after = value_text(element, values.after, now.bytes);
  }
  g.scope = scope;
  g.hazard = !now.kind.store ? "read-after-write" : earlier.kind.store ? "write-after-write" : "write-after-read";
  const bool lanes_apart = seen.at.of(seen.at.first_lane()) != seen.at.of(seen.at.last_lane());
  const auto& clocks = slots_[seen.step.block.slot]->block.clocks;
  const std::uint32_t unacquired =
      conflict.same_instruction
          ? 0
          : checker_.order().unacquired(clocks, now.warp, earlier.block, earlier.warp, earlier.clock);
  const auto releaser = scope != "grid"
                            ? HappensBefore::Releaser{}
                            : checker_.order().releaser(clocks, now.warp, earlier.block, earlier.warp, earlier.clock);
  const RaceMessages words = words_of({grid_, conflict, scope, block, now.warp, now.instruction, now.kind, lanes_apart,
                                       unacquired, releaser, seen.step.op.kind == MicroOpcode::async_copy});
  g.message = std::string("a race in ") + (now.is_shared ? "shared" : "global") + " memory: " + words.message;
  g.advice = words.advice;
  g.address = conflict.address;
  g.access_bytes = conflict.bytes;
  g.is_store = now.kind.store;
  g.is_atomic = now.kind.atomic;
  OtherAccess other;
  other.where = other_line;
  other.ptx_line = grid_.program.origins[earlier.instruction].ptx_line;
  other.block = block_index(grid_, earlier.block);
  other.thread = thread_index(grid_, earlier.warp, conflict.earlier_lane);
  other.is_store = earlier.kind.store;
  other.is_atomic = earlier.kind.atomic;
  g.other = std::move(other);
  if (now.is_shared) {
    describe_shared(grid_, g, conflict.address);
  } else {
    describe_global(grid_, g, conflict.address, conflict.bytes);
  }
  by_pair_[key] = static_cast<std::size_t>(same - found_.begin());
  if (same == found_.end()) {
    found_.push_back({grid_.findings.size(), block, std::move(g), now.is_shared, words.wants_barrier});
    return;
  }
  g.occurrences = same->finding.occurrences;
  same->finding = std::move(g);
  same->wants_barrier = words.wants_barrier;
}

/// The finding with these two lines, or the end.
std::vector<RaceWatch::Found>::iterator RaceWatch::found_at(const SourceLine& one, const SourceLine& other) {
  return std::find_if(found_.begin(), found_.end(), [&](const Found& found) {
    const SourceLine &a = found.finding.where, &b = found.finding.other->where;
    return a.line != 0 && ((same_line(a, one) && same_line(b, other)) || (same_line(a, other) && same_line(b, one)));
  });
}

/// Races that lack a barrier and have a line in common are one mistake: a tree of sums without barriers has one in each
/// of its steps. The finding with the first lines of the text stands for all, whichever of them this run met first.
void RaceWatch::join_by_barrier() {
  const auto first_lines = [](const Found& found) {
    const SourceLine &a = found.finding.where, &b = found.finding.other->where;
    auto one = std::make_pair(a.file, a.line), other = std::make_pair(b.file, b.line);
    if (other < one) std::swap(one, other);
    return std::make_pair(one, other);
  };
  const auto have_a_line_in_common = [](const Finding& a, const Finding& b) {
    return same_line(a.where, b.where) || same_line(a.where, b.other->where) || same_line(a.other->where, b.where) ||
           same_line(a.other->where, b.other->where);
  };
  const auto is_of_group = [&](const std::vector<Found>& group, const Found& other) {
    return std::any_of(group.begin(), group.end(), [&](const Found& found) {
      return found.wants_barrier && other.wants_barrier && found.is_shared == other.is_shared &&
             found.finding.scope == other.finding.scope && found.finding.where.line > 0 &&
             have_a_line_in_common(found.finding, other.finding);
    });
  };
  std::vector<Found> joined;
  while (!found_.empty()) {
    std::vector<Found> group;
    for (auto next = found_.begin(); next != found_.end();) {
      if (!group.empty() && !is_of_group(group, *next)) {
        ++next;
        continue;
      }
      group.push_back(std::move(*next));
      found_.erase(next);
      next = found_.begin();  // one that was left may have a line of this one
    }
    const std::size_t before = group.front().before;
    std::sort(group.begin(), group.end(),
              [&](const Found& a, const Found& b) { return first_lines(a) < first_lines(b); });
    Found& first = group.front();
    for (auto other = group.begin() + 1; other != group.end(); ++other)
      first.finding.also.push_back({other->finding.where, other->finding.other->where});
    first.before = before;
    joined.push_back(std::move(first));
  }
  found_ = std::move(joined);
}

void RaceWatch::finish() {
  join_by_barrier();
  const std::vector<std::pair<std::uint64_t, Finding>> others = std::exchange(grid_.findings, {});
  auto next = found_.begin();
  for (std::size_t i = 0; i <= others.size(); ++i) {
    for (; next != found_.end() && next->before <= i; ++next)
      grid_.findings.emplace_back(next->block, std::move(next->finding));
    if (i < others.size()) grid_.findings.push_back(others[i]);
  }
}

void look_for_races(Checks& checks) {
  checks.race = std::make_unique<RaceChecker>();
  checks.watchers.emplace_back(watch_streams);
  checks.watchers.emplace_back(watch_host_touches);
  checks.watchers.emplace_back(watch_overlapping_arrays);
  checks.watchers.emplace_back(watch_lost_updates);
}

}  // namespace cudasim
