// SPDX-License-Identifier: MIT
// Scattered accesses: the lanes touch single granules of many lines. To cut them into segments costs more than the
// whole access. Here each lane reads the one word of its granule in a scattered line, and mostly writes its own word
// there. All other cases go the long way (race_checker.cpp), with nothing changed before.
#include "checkers/race/shadow/race_checker.h"
#include "program/program.h"

namespace cudasim {
namespace {

/// Fewer are as quick the long way.
constexpr unsigned kLeastLanes = 8;

}  // namespace

/// Whether the new access replaces an earlier one of its granule: all that races with the earlier one also races with
/// it. The rule is that of visit_list(), for two plain accesses of single lanes.
bool RaceChecker::gives_way(const RaceBlock& block, const Access& access, const Segment& earlier,
                            bool same_lane) const {
  const auto& clocks = block.clocks;
  if (access.is_shared && earlier.clock <= clocks.everyone) return true;
  if (!access.kind.store && earlier.kind.store) return false;
  if (same_lane && earlier.block == clocks.block && earlier.warp == access.warp) return true;
  return order_.ordered(clocks, access.warp, earlier.block, earlier.warp, earlier.clock);
}

/// For scattered lines: untouched granules, each by one lane. Most scattered stores are such. The loops have no branch
/// for each lane: the words lie anywhere, and the host then fetches several at a time. False: nothing is done.
bool RaceChecker::take_untouched(const Lines& lines, std::uint64_t line, SegmentPool& pool, const Granules& at,
                                 std::uint32_t segment) {
  std::uint32_t list[kWarpSize], *entry[kWarpSize];
  unsigned others = 0;
  for (unsigned i = 0; i < at.count; ++i) {
    const auto& head = lines.heads[line + at.granule[i] / kGranulesPerLine];
    others |= (head.generation ^ lines.generation) | static_cast<unsigned>(!head.is_scattered());
    list[i] = head.first & ~Lines::Head::kScattered;
  }
  if (others != 0) return false;
  for (unsigned i = 0; i < at.count; ++i) {
    entry[i] = &pool.lists[list[i]][at.granule[i] % kGranulesPerLine];
    others |= ~*entry[i];
  }
  if (others != 0) return false;
  static_assert(kEndOfList == ~0u, "see above");
  for (unsigned i = 0; i < at.count; ++i) *entry[i] = Direct(segment, at.lane[i]).bits;
  for (unsigned i = 0; i < at.count; ++i) others |= *entry[i] ^ Direct(segment, at.lane[i]).bits;
  if (others == 0) return true;
  for (unsigned i = 0; i < at.count; ++i) *entry[i] = kEndOfList;
  return false;
}

/// `granule`: from the first one of `line` on.
bool RaceChecker::take_granules(const RaceBlock& block, const Access& access, Lines& lines, std::uint64_t line,
                                SegmentPool& pool, const Granules& at) {
  const std::uint32_t segment = pool.segments.take();
  if (segment >= Direct::kSegments) {
    pool.segments.give(segment);
    return false;
  }
  struct Taken {
    std::uint32_t* entry;
    std::uint32_t before;
  };
  Taken taken[kWarpSize];
  unsigned done = 0, i = 0;
  const std::uint32_t generation = lines.generation;
  const bool writes = access.kind.store && !access.is_shared;
  if (writes) lines.note_written(line, ((access.span->most - lines.base) >> granule_shift_) / kGranulesPerLine);
  if (writes && undo_ != nullptr) {
    // Requests what is overwritten first: to keep it one after the other waits for each.
    const std::byte* const first = lines.allocation->host + (lines.base - lines.allocation->address);
    for (unsigned l = 0; l < at.count; ++l) {
      const std::uint64_t here = line + at.granule[l] / kGranulesPerLine;
      __builtin_prefetch(first + (here * kGranulesPerLine << granule_shift_), 1);
    }
    for (unsigned l = 0; l < at.count; ++l) keep(lines, line + at.granule[l] / kGranulesPerLine);
  }
  const bool untouched = writes && take_untouched(lines, line, pool, at, segment);
  if (untouched) i = done = at.count;
  for (; i < at.count; ++i) {
    const std::uint64_t here = line + at.granule[i] / kGranulesPerLine;
    auto& head = lines.heads[here];
    const unsigned g = at.granule[i] % kGranulesPerLine;
    if (head.generation != generation) head = {generation, kEndOfList, 0, 0, 0, 0};
    if (!access.kind.store && (access.is_shared ? head.is_quiet_since(1u << g, false, block.last_barrier())
                                                : head.is_quiet(1u << g, false, block.sequence)))
      continue;
    if (head.first == kEndOfList) {
      head.first = pool.lists.take();
      pool.lists[head.first].fill(kEndOfList);
      head.first |= Lines::Head::kScattered;
    }
    if (!head.is_scattered()) break;
    std::uint32_t& entry = pool.lists[head.first & ~Lines::Head::kScattered][g];
    if (entry != kEndOfList) {
      const Direct direct(entry);
      if ((entry & Direct::kBit) == 0 || direct.segment() == segment) break;  // a list; or two lanes at one granule
      if (!gives_way(block, access, pool.segments[direct.segment()], direct.lane() == at.lane[i])) break;
    }
    taken[done++] = {&entry, entry};
    entry = Direct(segment, at.lane[i]).bits;
  }
  if (i != at.count) {
    while (done > 0) {
      --done;
      *taken[done].entry = taken[done].before;
    }
  }
  if (done == 0) {
    pool.segments.give(segment);
    return i == at.count;
  }
  Segment& s = pool.segments[segment];
  s = Segment{};
  s.instruction = access.instruction;
  s.block = block.clocks.block;
  s.clock = block.clocks.warps[access.warp].now;
  s.warp = static_cast<std::uint16_t>(access.warp);
  s.kind = access.kind;
  s.lanes = done;
  for (unsigned t = 0; t < done && !untouched; ++t) {
    if (taken[t].before != kEndOfList) pool.release(Direct(taken[t].before));
  }
  return true;
}

/// Atomics of places that only atomics have touched, and plain reads of places that are only read. True when that holds
/// for all lanes, and all is done. Only for accesses of global memory within one table of lines.
bool RaceChecker::visit_all_quiet(const RaceBlock& block, const Access& access, Lines& lines, Mask mask) const {
  const bool atomics = is_device_atomic(access.kind);
  if ((!atomics && !is_plain_read(access.kind)) || access.bytes != 1u << granule_shift_) return false;
  const std::uint64_t begin = access.span->least - lines.base, extent = access.span->most - access.span->least;
  if (extent >> 32 != 0 || ((begin + extent) >> granule_shift_) / kGranulesPerLine >= lines.count) return false;
  const auto granule = [&](unsigned lane) { return (begin + access.span->offset[lane]) >> granule_shift_; };
  const auto is_quiet = [&](std::uint64_t g) {
    const auto& head = lines.heads[g / kGranulesPerLine];
    return head.generation == lines.generation && head.is_quiet(1u << g % kGranulesPerLine, atomics, block.sequence);
  };
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (!is_quiet(granule(lane))) return false;
    }
  } else {
    for (Mask m = mask; m != 0; m &= m - 1) {
      if (!is_quiet(granule(static_cast<unsigned>(__builtin_ctz(m))))) return false;
    }
  }
  if (!atomics) return true;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t g = granule(lane);
    const Witness* const witness = lines.witnesses ? &lines.witnesses[g] : nullptr;
    const bool unknown = witness != nullptr && witness->generation == lines.generation && !witness->known;
    if (!unknown || access.kind.observes) observe(block, access, lines, g, lane);
  }
  return true;
}

/// The same for each lane by itself, atomics of any width, and shared memory. Returns the lanes that are left.
Mask RaceChecker::visit_quiet_atomics(const RaceBlock& block, const Access& access, Lines& lines, Mask mask) const {
  const std::uint32_t each = access.bytes >> granule_shift_;  // granules of a lane
  if (!is_device_atomic(access.kind) || each > sizeof(std::uint64_t)) return mask;
  const std::uint64_t begin = access.span->least - lines.base;
  const std::uint32_t barrier = block.last_barrier(), bits = (1u << each) - 1;
  const auto is_quiet = [&](std::uint64_t g) {
    const auto& head = lines.heads[g / kGranulesPerLine];
    const std::uint32_t granules = bits << g % kGranulesPerLine;
    if (head.generation != lines.generation || (g & (each - 1)) != 0) return false;
    return access.is_shared ? head.is_quiet_since(granules, true, barrier)
                            : head.is_quiet(granules, true, block.sequence);
  };
  Mask left = 0;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    left |= Mask{!is_quiet((begin + access.span->offset[lane]) >> granule_shift_)} << lane;
  }
  for (Mask m = mask & ~left; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t first = (begin + access.span->offset[lane]) >> granule_shift_;
    for (std::uint64_t g = first; g < first + each; ++g) {
      const Witness* const witness = lines.witnesses ? &lines.witnesses[g] : nullptr;
      const bool unknown = witness != nullptr && witness->generation == lines.generation && !witness->known;
      if (!unknown || access.kind.observes) observe(block, access, lines, g, lane);
    }
  }
  return left;
}

/// Returns the lanes that are left. Only for accesses within one table of lines.
Mask RaceChecker::visit_quiet(const RaceBlock& block, const Access& access, Lines& lines, Mask mask) const {
  if (!access.is_shared && visit_all_quiet(block, access, lines, mask)) return 0;
  const std::uint64_t begin = access.span->least - lines.base, extent = access.span->most - access.span->least;
  if (extent >> 32 != 0 || ((begin + extent) >> granule_shift_) / kGranulesPerLine >= lines.count) return mask;
  return visit_quiet_atomics(block, access, lines, mask);
}

/// True when all is done. Only for accesses within one table of lines.
bool RaceChecker::visit_scattered(const RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool,
                                  Mask mask) {
  const AccessKind& kind = access.kind;
  if (kind.atomic || kind.strong || kind.is_volatile || kind.read_only || access.bytes != 1u << granule_shift_)
    return false;
  const Span& span = *access.span;
  const std::uint32_t shift = granule_shift_;
  const std::uint64_t start = span.least - lines.base, line = (start >> shift) / kGranulesPerLine;
  const auto phase = static_cast<std::uint32_t>(start - (line * kGranulesPerLine << shift));
  const std::uint64_t extent = span.most - span.least;
  if (extent >= 1u << 31 || (start + extent) >> shift >= lines.count * kGranulesPerLine) return false;
  // Mostly the two ends of the warp are enough to see it: lanes side by side.
  auto side_by_side = [&](unsigned a, unsigned b) {
    return ((phase + span.offset[a]) >> shift) / kGranulesPerLine ==
           ((phase + span.offset[b]) >> shift) / kGranulesPerLine;
  };
  if (mask == ~0u && side_by_side(0, 1) && side_by_side(kWarpSize - 2, kWarpSize - 1)) return false;
  Granules at;
  if (mask == ~0u) {
    for (unsigned l = 0; l < kWarpSize; ++l) at.granule[l] = (phase + span.offset[l]) >> shift;
    for (unsigned l = 0; l < kWarpSize; ++l) at.lane[l] = static_cast<std::uint8_t>(l);
    at.count = kWarpSize;
  } else {
    for (Mask m = mask; m != 0; m &= m - 1) {
      const auto l = static_cast<unsigned>(__builtin_ctz(m));
      at.granule[at.count] = (phase + span.offset[l]) >> shift;
      at.lane[at.count++] = static_cast<std::uint8_t>(l);
    }
  }
  if (at.count < kLeastLanes) return false;
  unsigned coalesced = 0;  // lanes in the line of the lane before
  for (unsigned i = 1; i < at.count; ++i)
    coalesced += at.granule[i] / kGranulesPerLine == at.granule[i - 1] / kGranulesPerLine;
  if (coalesced > at.count / 4) return false;
  // An instruction that mostly needs the long way tries this one only now and then.
  Scattered& last = scattered_[access.instruction % scattered_.size()];
  if (last.instruction != access.instruction) last = {access.instruction, 0};
  if (last.failures > 8 && ++last.failures % 64 != 0) return false;
  const bool done = take_granules(block, access, lines, line, pool, at);
  last.failures = done ? 0 : last.failures + 1;
  return done;
}

}  // namespace cudasim
