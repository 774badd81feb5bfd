// SPDX-License-Identifier: MIT
// Hears of what happens, and words what the race checker finds.
#include "machine/race_watch.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <new>

#include "machine/interpreter.h"

namespace cudasim {
namespace {

std::string hexadecimal(const std::byte* bytes, std::uint32_t count) {
  std::string text = "0x";
  char digits[3];
  for (std::uint32_t i = count; i-- > 0;) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(bytes[i]));
    text += digits;
  }
  return text;
}

unsigned width_of(const std::string& scope) { return scope == "grid" ? 2 : scope == "block" ? 1 : 0; }

struct Words {
  const char* message;
  const char* advice;
};

Words words_of(const std::string& scope, const AccessKind& now, const Conflict& conflict) {
  const AccessKind& then = conflict.earlier.kind;
  if (conflict.same_instruction) {
    return {"two threads of one warp write different values to the same element with one instruction",
            "give each thread an element of its own, or combine the values with an atomic operation"};
  }
  if (scope == "warp") {
    return {"two threads of one warp, and no __syncwarp() between",
            "threads of a warp need not run in step: put __syncwarp() between the two lines (or __syncthreads(), where "
            "the whole block takes part)"};
  }
  if (scope == "block") {
    if (now.atomic != then.atomic) {
      return {"an atomic and a plain access by two warps of one block, and no barrier between",
              "put __syncthreads() between the two lines, or make both accesses atomic"};
    }
    return {"two warps of one block, and no barrier between",
            "put __syncthreads() between the two lines, where all threads of the block reach it"};
  }
  if (now.atomic && then.atomic) {
    return {"two blocks, and an atomic that is one only for the threads of its own block",
            "use the atomic without _block, or with the scope of the device (cuda::thread_scope_device)"};
  }
  if (now.atomic != then.atomic) {
    return {"an atomic and a plain access by two blocks, and nothing orders the blocks",
            "set the value before the launch (cudaMemset) or in a kernel of its own, read it after the kernel, or make "
            "both accesses atomic"};
  }
  if (now.store && then.store) {
    return {"two blocks write different values to the same element, and nothing orders the blocks",
            "give each block an element of its own, or combine the values with an atomic operation"};
  }
  return {"one block reads what another block writes, and nothing orders the blocks",
          "blocks run in any order: write to another array, put the second step in a kernel of its own, or publish the "
          "data with __threadfence() and an atomic flag"};
}

}  // namespace

RaceWatch::RaceWatch(Grid& grid, RaceChecker& checker, bool own_thread)
    : grid_(grid),
      checker_(checker),
      kernels_(lane_kernels(best_level())),
      queue_([this](const std::byte* begin, const std::byte* end) { listen(begin, end); }, own_thread) {
  checker.begin_launch(grid.program, grid.memory);
}

void RaceWatch::put(const RaceEvent& event) {
  auto& copy = *new (reserve()) RaceEvent(event);
  commit(copy, reinterpret_cast<std::byte*>(&copy + 1));
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
  event.warp = warp;
  event.barrier = barrier;
  put(event);
}

void RaceWatch::open_barrier(std::uint32_t slot, std::uint32_t barrier, std::uint32_t warps, bool all) {
  RaceEvent event;
  event.kind = RaceEvent::Kind::open_barrier;
  event.slot = slot;
  event.barrier = barrier;
  event.lanes = warps;
  event.all = all;
  put(event);
}

void RaceWatch::sync_warp(std::uint32_t slot, std::uint32_t warp, Mask mask, Mask live) {
  RaceEvent event;
  event.kind = RaceEvent::Kind::sync_warp;
  event.slot = slot;
  event.warp = warp;
  event.lanes = mask;
  event.live = live;
  put(event);
}

void RaceWatch::fence(std::uint32_t slot, std::uint32_t warp, bool whole_grid) {
  RaceEvent event;
  event.kind = RaceEvent::Kind::fence;
  event.slot = slot;
  event.warp = warp;
  event.all = whole_grid;
  put(event);
}

void RaceWatch::listen(const std::byte* begin, const std::byte* end) {
  while (begin != end) {
    const auto& event = *std::launder(reinterpret_cast<const RaceEvent*>(begin));
    listen_to(event);
    begin += event.size_bytes;
  }
}

void RaceWatch::listen_to(const RaceEvent& event) {
  if (event.kind == RaceEvent::Kind::begin_block) {
    if (event.slot >= blocks_.size()) blocks_.resize(event.slot + 1);
    auto& block = blocks_[event.slot];
    if (!block) block = std::make_unique<RaceBlock>();
    return checker_.begin_block(*block, event.first, grid_.warps_per_block, grid_.shared_bytes);
  }
  BlockClocks& clocks = blocks_[event.slot]->clocks;
  switch (event.kind) {
    case RaceEvent::Kind::access:
      return look_at(event);
    case RaceEvent::Kind::arrive:
      return checker_.order().arrive(clocks, event.warp, event.barrier);
    case RaceEvent::Kind::open_barrier:
      return checker_.order().open(clocks, event.barrier, event.lanes, event.all);
    case RaceEvent::Kind::sync_warp:
      return HappensBefore::sync_warp(clocks, event.warp, event.lanes, event.live);
    case RaceEvent::Kind::fence:
      return checker_.order().fence(clocks, event.warp, event.all);
    case RaceEvent::Kind::begin_block:
      break;
  }
}

void RaceWatch::look_at(const RaceEvent& event) {
  RaceBlock& block = *blocks_[event.slot];
  Seen seen{event, {}, block.clocks.block};
  seen.access.warp = event.warp;
  seen.access.instruction = event.instruction;
  seen.access.bytes = event.bytes;
  seen.access.kind = event.access;
  seen.access.ordering = event.ordering;
  seen.access.is_shared = event.is_shared;
  seen.access.first = event.first;
  const auto* next = reinterpret_cast<const std::byte*>(&event + 1);
  Span span;
  if (event.has_addresses) {
    seen.access.address = std::launder(reinterpret_cast<const std::uint64_t*>(next));
    next += warp_size * sizeof(std::uint64_t);
    kernels_.span(seen.access.address, event.lanes, span);
    seen.access.span = &span;
  }
  seen.after = next;
  seen.before = next + std::size_t{event.bytes} * warp_size;
  for (const auto& conflict : checker_.look_at(block, seen.access, event.lanes, grid_.memory)) report(seen, conflict);
}

/// Of two plain stores: what the first left and what the second stores. Of one instruction neither is in memory yet.
/// Null where that is not known.
RaceWatch::Values RaceWatch::values_of(const Seen& seen, const Conflict& conflict) {
  const bool plain_stores = seen.event.has_values && conflict.earlier.kind.store && !conflict.earlier.kind.atomic;
  const bool known = conflict.same_instruction || (seen.event.known >> conflict.lane & 1) != 0;
  if (!plain_stores || !known) return {};
  const std::size_t bytes = seen.event.bytes;
  return {conflict.same_instruction ? seen.after + conflict.earlier_lane * bytes : seen.before + conflict.lane * bytes,
          seen.after + conflict.lane * bytes};
}

void RaceWatch::report(const Seen& seen, const Conflict& conflict) {
  const RaceEvent& event = seen.event;
  const Segment& earlier = conflict.earlier;
  const Values values = values_of(seen, conflict);
  if (values.before != nullptr && std::memcmp(values.before, values.after, event.bytes) == 0) return;
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
    g.value_before = hexadecimal(values.before, event.bytes);
    g.value_after = hexadecimal(values.after, event.bytes);
  }
  g.severity = Severity::defect;
  g.scope = scope;
  g.hazard = !event.access.store ? "read-after-write" : earlier.kind.store ? "write-after-write" : "write-after-read";
  const Words words = words_of(scope, event.access, conflict);
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
  by_pair_[key] = add({event.findings, seen.block, std::move(g)});
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
