// SPDX-License-Identifier: MIT
// Accesses that conflict with an asynchronous copy in flight. They read or write its destination, or write its source.
// This file finds those of the thread that started the copy, and of threads that have waited for something since. For
// any other thread the order is chance: that is a race, which the vector clocks find, and another mistake.
#include <algorithm>
#include <utility>

#include "checkers/race/race_watch.h"
#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "state/async_copies.h"
#include "state/grid.h"

namespace cudasim {
namespace {

constexpr std::uint32_t kCopiedWordBytes = 4;  // of which copies are made

bool touch(std::uint64_t a, std::uint32_t a_bytes, std::uint64_t b, std::uint32_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

/// Whether two lanes copy the same bytes to one place: then their order does not matter.
bool copy_the_same(const PendingCopy& a, unsigned a_lane, const PendingCopy& b, unsigned b_lane) {
  const auto source = [](const PendingCopy& copy, unsigned lane) {
    const bool whole = (copy.shortened >> lane & 1) == 0;
    const std::uint32_t bytes = whole ? copy.from.bytes : copy.bytes[lane];
    return std::make_pair(bytes, bytes == 0 ? 0 : whole ? copy.from.of(lane) : copy.source[lane]);
  };
  return a.to.of(a_lane) == b.to.of(b_lane) && a.to.bytes == b.to.bytes && source(a, a_lane) == source(b, b_lane);
}

}  // namespace

/// Whether a copy has yet to write one of these bytes. No copy writes to a place outside shared memory: an access there
/// is a fault.
bool RaceWatch::is_awaited(const Block& block, std::uint64_t begin, std::uint64_t end) const {
  const auto& awaited = slots_[block.slot]->awaited;
  const std::uint64_t first = begin / kCopiedWordBytes, last = (end - 1) / kCopiedWordBytes;
  for (std::uint64_t i = first / 64; i <= last / 64 && i < awaited.size(); ++i) {
    std::uint64_t words = awaited[i];
    if (i == first / 64) words &= ~std::uint64_t{0} << first % 64;
    if (i == last / 64) words &= ~std::uint64_t{0} >> (63 - last % 64);
    if (words != 0) return true;
  }
  return false;
}

/// Marks what the copy will write, or that it has written it.
void RaceWatch::await(const Block& block, const PendingCopy& copy, Mask lanes, bool awaited) {
  std::uint64_t* const marks = slots_[block.slot]->awaited.data();
  const auto mark = [&](std::uint64_t i, std::uint64_t words) {
    marks[i] = awaited ? marks[i] | words : marks[i] & ~words;
  };
  for (Mask m = lanes; m != 0; m &= m - 1) {
    const std::uint64_t begin = copy.to.of(static_cast<unsigned>(__builtin_ctz(m)));
    const std::uint64_t first = begin / kCopiedWordBytes,
                        count = (begin + copy.to.bytes - 1) / kCopiedWordBytes - first + 1;
    const std::uint64_t words = (std::uint64_t{1} << count) - 1;  // a lane copies 16 bytes at most
    mark(first / 64, words << first % 64);
    if (first % 64 + count > 64) mark(first / 64 + 1, words >> (64 - first % 64));
  }
}

/// The accesses of a copy may happen at any time until a thread waits for it. So both ends must be ordered with other
/// accesses: here, and where the copy completes.
void RaceWatch::start_copy(const Step& through, const PendingCopy& copy) {
  const MemoryAccess* const accesses = &grid_.program.accesses[through.op.extra];
  if (through.block.copies_pending != 0) look_for_copies(through, true, copy.to, &copy);
  if (copy.from.mask != 0) look_at(through, accesses[0], nullptr, copy.from);
  look_at(through, accesses[1], nullptr, copy.to);
  await(through.block, copy, copy.lanes, true);
}

void RaceWatch::make_copy(const Block& block, const PendingCopy& copy, Mask lanes) { await(block, copy, lanes, false); }

/// `started`: the copy whose destination `at` is, if it is one.
void RaceWatch::look_for_copies(const Step& step, bool is_write, const LaneAddresses& at, const PendingCopy* started) {
  const bool is_shared = at.space == ptx::Space::shared;
  if (!is_shared && !is_write) return;
  Mask touching = at.mask;
  if (is_shared) {  // mostly none, because the access is to another stage of a pipeline
    if (!is_awaited(step.block, at.least(), at.end())) return;
    for (Mask m = at.mask; m != 0; m &= m - 1) {
      const std::uint64_t begin = at.of(static_cast<unsigned>(__builtin_ctz(m)));
      if (!is_awaited(step.block, begin, begin + at.bytes)) touching &= ~(m & (0 - m));
    }
  }
  if (touching == 0) return;
  for (const Warp& owner : step.block.warps) {
    const auto& pending = owner.copies->pending;
    for (std::size_t i = owner.copies->first; i < pending.size(); ++i) {
      const PendingCopy& copy = pending[i];
      const LaneAddresses& place = is_shared ? copy.to : copy.from;
      const Mask reading = copy.lanes & (is_shared ? ~0u : place.mask);
      if (&copy == started || reading == 0 || at.end() <= place.least() || place.end() <= at.least()) continue;
      for (Mask m = touching; m != 0; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        for (Mask c = reading; c != 0; c &= c - 1) {
          const auto copying = static_cast<unsigned>(__builtin_ctz(c));
          if (!touch(at.of(lane), at.bytes, place.of(copying), place.bytes)) continue;
          if ((&owner != &step.warp || lane != copying) && copy.in_block > step.warp.known_copies) continue;
          if (started != nullptr && copy_the_same(*started, lane, copy, copying)) continue;
          return report_copy(step, lane, is_write, at, owner, copy, copying);
        }
      }
    }
  }
}

void RaceWatch::report_copy(const Step& step, unsigned lane, bool is_write, const LaneAddresses& at, const Warp& owner,
                            const PendingCopy& copy, unsigned copying) {
  const Block& block = step.block;
  const bool is_shared = at.space == ptx::Space::shared, own = &owner == &step.warp && lane == copying;
  Finding f = finding_at(grid_, step, 1u << lane, FindingKind::async_copy);
  f.address = at.of(lane);
  f.access_bytes = at.bytes;
  f.is_store = is_write;
  f.is_atomic = step.op.kind == MicroOpcode::atomic;
  f.scope = &owner == &step.warp ? "warp" : "block";
  f.hazard = !is_shared ? "write-after-read" : is_write ? "write-after-write" : "read-after-write";
  f.message = !is_shared ? "the source of an asynchronous copy is written while the copy is on its way"
              : step.op.kind == MicroOpcode::async_copy
                  ? "an asynchronous copy into shared memory that another one, still on its way, writes too"
              : is_write ? "shared memory is written that an asynchronous copy, still on its way, writes too"
                         : "shared memory is read that an asynchronous copy, still on its way, is to write";
  const std::string wait = "__pipeline_wait_prior(n) and cp.async.wait_group leave the last n groups on their way";
  f.advice = own ? "if this line is to come after the copy, wait for the copy first: " + wait
                 : "if this line is to come after the copy, the thread that has started it must wait for it first (" +
                       wait + "), and a barrier must come between its wait and this line";
  f.advice += "; if not, the copy is started too early";
  if (step.op.kind == MicroOpcode::async_copy && is_shared) {
    f.advice =
        "should both copies go to the same place? Of the tiles that are on their way in a ring, each has a slot of "
        "its own: then look at the index of the slot, at this line and at the first copy. If the place is right, " +
        f.advice;
  }
  OtherAccess other;
  other.where = grid_.program.source_line(copy.op->counter);
  other.ptx_line = grid_.program.origins[copy.op->counter].ptx_line;
  other.block = block.index;
  other.thread = thread_index(grid_, owner.index, copying);
  other.is_store = is_shared;
  f.other = std::move(other);
  if (is_shared) {
    describe_shared(grid_, f, f.address);
  } else {
    describe_global(grid_, f, f.address, at.bytes);
  }
  add_defect(grid_, block.linear, std::move(f));
}

}  // namespace cudasim
