// SPDX-License-Identifier: MIT
// Hears of what happens, and makes findings of what the race checker finds.
#include "machine/race_watch.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#include "machine/compare_and_swap.h"
#include "machine/element.h"
#include "machine/interpreter.h"
#include "machine/race_words.h"

namespace cudasim {
namespace {

unsigned width_of(const std::string& scope) { return scope == "grid" ? 2 : scope == "block" ? 1 : 0; }

}  // namespace

RaceWatch::RaceWatch(Grid& grid, RaceChecker& checker, bool own_thread)
    : grid_(grid),
      checker_(checker),
      heard_(count_of_sites(grid.program.origins.size())),
      queue_([this](const std::byte* begin, const std::byte* end) { listen(begin, end); }, own_thread) {
  checker.begin_launch(grid.program, grid.memory);
}

void RaceWatch::put_offsets(EventQueue::Room& room, RaceEvent& event, const Located& at) {
  event.where = RaceEvent::Lanes::offsets;
  const std::uint64_t extent = at.span.most - at.span.least;
  append(room, at.span.offset, sizeof at.span.offset);
  append(room, &extent, sizeof extent);
  at.site->told = true;
}

void RaceWatch::put(const RaceEvent& event) {
  const auto room = reserve();
  queue_.commit({reinterpret_cast<std::byte*>(new (room.front) RaceEvent(event) + 1), room.back});
}

void RaceWatch::begin_block(std::uint32_t slot, std::uint64_t linear) {
  RaceEvent event;
  event.kind = RaceEvent::Kind::begin_block;
  event.slot = slot;
  event.first = linear;
  put(event);
}

void RaceWatch::arrive(std::uint32_t slot, std::uint32_t warp, std::uint32_t barrier) {
  RaceEvent event;
  event.kind = RaceEvent::Kind::arrive;
  event.slot = slot;
  event.warp = static_cast<std::uint8_t>(warp);
  event.bytes = static_cast<std::uint8_t>(barrier);
  put(event);
}

void RaceWatch::open_barrier(std::uint32_t slot, std::uint32_t barrier, std::uint32_t warps, bool all) {
  RaceEvent event;
  event.kind = RaceEvent::Kind::open_barrier;
  event.slot = slot;
  event.bytes = static_cast<std::uint8_t>(barrier);
  event.lanes = warps;
  event.all = all;
  put(event);
}

void RaceWatch::sync_warp(std::uint32_t slot, std::uint32_t warp, Mask mask, Mask live) {
  RaceEvent event;
  event.kind = RaceEvent::Kind::sync_warp;
  event.slot = slot;
  event.warp = static_cast<std::uint8_t>(warp);
  event.lanes = mask;
  event.instruction = live;
  put(event);
}

void RaceWatch::fence(std::uint32_t slot, std::uint32_t warp, bool whole_grid) {
  RaceEvent event;
  event.kind = RaceEvent::Kind::fence;
  event.slot = slot;
  event.warp = static_cast<std::uint8_t>(warp);
  event.all = whole_grid;
  put(event);
}

void RaceWatch::finding() {
  RaceEvent event;
  event.kind = RaceEvent::Kind::finding;
  put(event);
}

void RaceWatch::listen(const std::byte* begin, const std::byte* end) {
  while (begin != end) begin = listen_to(*std::launder(reinterpret_cast<const RaceEvent*>(begin)));
}

/// Returns the end of the event.
const std::byte* RaceWatch::listen_to(const RaceEvent& event) {
  const auto* end = reinterpret_cast<const std::byte*>(&event + 1);
  switch (event.kind) {
    case RaceEvent::Kind::access:
      return look_at(event);
    case RaceEvent::Kind::begin_block: {
      if (event.slot >= blocks_.size()) blocks_.resize(event.slot + 1);
      auto& block = blocks_[event.slot];
      if (!block) block = std::make_unique<RaceBlock>();
      checker_.begin_block(*block, event.first, grid_.warps_per_block, grid_.shared_bytes);
      break;
    }
    case RaceEvent::Kind::arrive:
      checker_.order().arrive(blocks_[event.slot]->clocks, event.warp, event.bytes);
      break;
    case RaceEvent::Kind::open_barrier:
      checker_.order().open(blocks_[event.slot]->clocks, event.bytes, event.lanes, event.all);
      break;
    case RaceEvent::Kind::sync_warp:
      HappensBefore::sync_warp(blocks_[event.slot]->clocks, event.warp, event.lanes, event.instruction);
      break;
    case RaceEvent::Kind::fence:
      checker_.order().fence(blocks_[event.slot]->clocks, event.warp, event.all);
      break;
    case RaceEvent::Kind::finding:
      ++findings_;
      break;
  }
  return end;
}

const std::byte* RaceWatch::look_at(const RaceEvent& event) {
  RaceBlock& block = *blocks_[event.slot];
  RaceChecker::Access access;
  access.warp = event.warp;
  access.instruction = event.instruction;
  access.bytes = event.bytes;
  access.kind = event.access;
  access.ordering = event.ordering;
  access.is_shared = event.is_shared;
  access.first = event.first;
  const auto* end = reinterpret_cast<const std::byte*>(&event + 1);
  Span& span = heard_[site_index(event.instruction, event.access.store, heard_.size())];
  const std::uint64_t moved = event.first - span.least;
  switch (event.where) {
    case RaceEvent::Lanes::neighbours: {
      if (event.bytes == 4) break;
      const auto first = static_cast<unsigned>(__builtin_ctz(event.lanes));
      const unsigned last = 31 - static_cast<unsigned>(__builtin_clz(event.lanes));
      neighbours_.least = event.first + first * event.bytes;
      neighbours_.most = event.first + last * event.bytes;
      for (unsigned lane = 0; lane < warp_size; ++lane)
        neighbours_.offset[lane] = (event.lanes >> lane & 1) * (lane - first) * event.bytes;
      access.span = &neighbours_;
      break;
    }
    case RaceEvent::Lanes::as_before:
      span.least += moved;
      span.most += moved;
      access.span = &span;
      break;
    case RaceEvent::Lanes::offsets: {
      std::memcpy(span.offset, end, sizeof span.offset);
      end += sizeof span.offset;
      std::uint64_t extent;
      std::memcpy(&extent, end, sizeof extent);
      end += sizeof extent;
      span.least = event.first;
      span.most = event.first + extent;
      access.span = &span;
      break;
    }
    case RaceEvent::Lanes::addresses:
      access.address = std::launder(reinterpret_cast<const std::uint64_t*>(end));
      end += warp_size * sizeof(std::uint64_t);
      break;
  }
  for (const auto& conflict : checker_.look_at(block, access, event.lanes, grid_.memory))
    report({event, block.clocks.block, access}, conflict);
  return end;
}

/// Of two plain stores: what the first left and what the second stores. Of one instruction neither is in memory yet.
/// Null where that is not known.
RaceWatch::Values RaceWatch::values_of(const RaceEvent& event, const Conflict& conflict) {
  if (event.values == 0 || !conflict.earlier.kind.store || conflict.earlier.kind.atomic) return {};
  const std::size_t bytes = event.bytes;
  const std::byte* after = reinterpret_cast<const std::byte*>(&event) + event.values;
  const std::byte* before = after + warp_size * bytes;
  const std::byte* value = after + conflict.lane * bytes;
  if (conflict.same_instruction) return {after + conflict.earlier_lane * bytes, value};
  Mask known;
  std::memcpy(&known, before + warp_size * bytes, sizeof known);
  if ((known >> conflict.lane & 1) == 0) return {};
  return {before + conflict.lane * bytes, value};
}

/// Whether `one` is a plain load that only guesses what a compare-and-swap will find, and the other one is atomic.
bool RaceWatch::guesses(std::uint32_t one, const AccessKind& kind, const AccessKind& other) {
  if (kind.store || kind.strong || !is_device_atomic(other)) return false;
  const auto [position, is_new] = guesses_.try_emplace(one, false);
  if (is_new) position->second = only_guesses(grid_.program, one);
  return position->second;
}

void RaceWatch::report(const Seen& seen, const Conflict& conflict) {
  const RaceEvent& event = seen.event;
  const Segment& earlier = conflict.earlier;
  const Values values = values_of(seen.event, conflict);
  if (values.before != nullptr && std::memcmp(values.before, values.after, event.bytes) == 0) return;
  if (guesses(event.instruction, event.access, earlier.kind) ||
      guesses(earlier.instruction, earlier.kind, event.access))
    return;
  const auto first = std::min(event.instruction, earlier.instruction);
  const auto second = std::max(event.instruction, earlier.instruction);
  const std::string scope = earlier.block != seen.block ? "grid" : earlier.warp != event.warp ? "block" : "warp";
  const std::uint64_t key = (std::uint64_t{first} << 32 | second) * 3 + width_of(scope);
  const auto known = by_pair_.find(key);
  if (known != by_pair_.end()) {
    ++found_[known->second].finding.occurrences;
    return;
  }
  Finding g = finding_at(grid_, seen.block, event.warp, event.instruction, 1u << conflict.lane, FindingKind::race);
  if (values.before != nullptr) {
    const Element element = element_of(grid_.program, g.ptx_line);
    g.value_before = value_text(element, values.before, event.bytes);
    g.value_after = value_text(element, values.after, event.bytes);
  }
  g.severity = Severity::defect;
  g.scope = scope;
  g.hazard = !event.access.store ? "read-after-write" : earlier.kind.store ? "write-after-write" : "write-after-read";
  const auto first_lane = static_cast<unsigned>(__builtin_ctz(event.lanes));
  const unsigned last_lane = warp_size - 1 - static_cast<unsigned>(__builtin_clz(event.lanes));
  const bool lanes_apart = seen.access.address_of(first_lane) != seen.access.address_of(last_lane);
  const auto& clocks = blocks_[event.slot]->clocks;
  const std::uint32_t unacquired =
      conflict.same_instruction
          ? 0
          : checker_.order().unacquired(clocks, event.warp, earlier.block, earlier.warp, earlier.clock);
  const RaceWords words = words_of(
      {grid_, conflict, scope, seen.block, event.warp, event.instruction, event.access, lanes_apart, unacquired});
  g.message = std::string("a race in ") + (event.is_shared ? "shared" : "global") + " memory: " + words.message;
  g.advice = words.advice;
  g.address = conflict.address;
  g.access_bytes = conflict.bytes;
  g.is_store = event.access.store;
  g.is_atomic = event.access.atomic;
  g.cuda_error = 0;
  OtherAccess other;
  other.where = grid_.program.source_line(earlier.instruction);
  other.ptx_line = grid_.program.origins[earlier.instruction].ptx_line;
  other.block = block_index(grid_, earlier.block);
  other.thread = thread_index(grid_, earlier.warp, conflict.earlier_lane);
  other.is_store = earlier.kind.store;
  other.is_atomic = earlier.kind.atomic;
  g.other = std::move(other);
  if (event.is_shared) {
    describe_shared(grid_, g, conflict.address);
  } else {
    describe_global(grid_, g, conflict.address, conflict.bytes);
  }
  by_pair_[key] = add({findings_, seen.block, std::move(g)});
}

/// The same two lines again, by other instructions or in a wider scope: one finding, of the widest. Returns its index.
std::size_t RaceWatch::add(Found now) {
  auto same = [](const SourceLine& a, const SourceLine& b) { return a.line == b.line && a.file == b.file; };
  Finding& g = now.finding;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    Finding& old = found_[i].finding;
    if (old.where.line == 0) continue;
    const bool straight = same(old.where, g.where) && same(old.other->where, g.other->where);
    const bool crossed = same(old.where, g.other->where) && same(old.other->where, g.where);
    if (!straight && !crossed) continue;
    const std::uint64_t occurrences = old.occurrences + 1;
    if (width_of(g.scope) > width_of(old.scope)) old = std::move(g);
    old.occurrences = occurrences;
    return i;
  }
  found_.push_back(std::move(now));
  return found_.size() - 1;
}

void RaceWatch::finish() {
  drain();
  const std::vector<std::pair<std::uint64_t, Finding>> others = std::exchange(grid_.findings, {});
  auto next = found_.begin();
  for (std::size_t i = 0; i <= others.size(); ++i) {
    for (; next != found_.end() && next->before <= i; ++next)
      grid_.findings.emplace_back(next->block, std::move(next->finding));
    if (i < others.size()) grid_.findings.push_back(others[i]);
  }
}

}  // namespace cudasim
