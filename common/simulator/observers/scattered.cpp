// SPDX-License-Identifier: MIT
// Plain accesses whose lanes touch single granules of many lines. To cut them into segments costs more than the whole
// access; here each lane looks at the one word that its granule has in a scattered line, and mostly writes its own into
// it. Whatever else there is to do is left to the long way (races.cpp), as if nothing had been tried.
#include "module/program.h"
#include "observers/races.h"

namespace cudasim {
namespace {

/// Fewer are as quick the long way.
constexpr unsigned least_lanes = 8;

}  // namespace

/// Whether the new access takes the place of an earlier one of its granule: nothing that races with the earlier one
/// would fail to race with it. As visit_list() does, for two plain accesses of single lanes.
bool RaceChecker::gives_way(const RaceBlock& block, const Access& access, const Segment& earlier,
                            bool same_lane) const {
  const auto& clocks = block.clocks;
  if (access.is_shared && earlier.clock <= clocks.everyone) return true;
  if (!access.kind.store && earlier.kind.store) return false;
  if (same_lane && earlier.block == clocks.block && earlier.warp == access.warp) return true;
  return order_.ordered(clocks, access.warp, earlier.block, earlier.warp, earlier.clock);
}

bool RaceChecker::take_granules(const RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool,
                                const std::uint64_t* granule, const std::uint8_t* lane, unsigned count) {
  const std::uint32_t segment = pool.segments.take();
  if (segment >= Direct::segments) {
    pool.segments.give(segment);
    return false;
  }
  struct Taken {
    std::uint32_t* entry;
    std::uint32_t before;
  };
  Taken taken[warp_size];
  unsigned done = 0, i = 0;
  for (; i < count; ++i) {
    auto& head = lines.heads[granule[i] / granules_per_line];
    const auto g = static_cast<unsigned>(granule[i] % granules_per_line);
    if (head.generation != lines.generation) head = {lines.generation, end_of_list, 0, 0};
    if (!access.kind.store && (head.quiet >> g & 1) != 0 && block.sequence > head.quiet_until) continue;
    if (head.first == end_of_list) {
      head.first = pool.lists.take();
      pool.lists[head.first].fill(end_of_list);
      head.first |= Lines::Head::scattered;
    }
    if (!head.is_scattered()) break;
    std::uint32_t& entry = pool.lists[head.first & ~Lines::Head::scattered][g];
    if (entry != end_of_list) {
      const Direct direct(entry);
      if ((entry & Direct::bit) == 0 || direct.segment() == segment) break;  // a list; or two lanes at one granule
      if (!gives_way(block, access, pool.segments[direct.segment()], direct.lane() == lane[i])) break;
    }
    taken[done++] = {&entry, entry};
    entry = Direct(segment, lane[i]).bits;
  }
  if (i != count) {
    while (done > 0) {
      --done;
      *taken[done].entry = taken[done].before;
    }
  }
  if (done == 0) {
    pool.segments.give(segment);
    return i == count;
  }
  Segment& s = pool.segments[segment];
  s = Segment{};
  s.instruction = access.instruction;
  s.block = block.clocks.block;
  s.clock = block.clocks.warps[access.warp].now;
  s.warp = static_cast<std::uint16_t>(access.warp);
  s.kind = access.kind;
  s.lanes = done;
  for (unsigned t = 0; t < done; ++t) {
    if (taken[t].before != end_of_list) pool.release(Direct(taken[t].before));
  }
  return true;
}

/// True when all is done. Only for accesses within one table of lines.
bool RaceChecker::visit_scattered(const RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool,
                                  Mask mask) {
  const AccessKind& kind = access.kind;
  if (kind.atomic || kind.strong || kind.is_volatile || access.bytes != 1u << granule_shift_) return false;
  const Span& span = *access.span;
  const std::uint64_t start = span.least - lines.base;
  if ((start + (span.most - span.least)) >> granule_shift_ >= lines.count * granules_per_line) return false;
  std::uint64_t granule[warp_size];
  std::uint8_t lane[warp_size];
  unsigned count = 0, neighbours = 0;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const auto l = static_cast<unsigned>(__builtin_ctz(m));
    granule[count] = (start + span.offset[l]) >> granule_shift_;
    lane[count] = static_cast<std::uint8_t>(l);
    if (count > 0 && granule[count] / granules_per_line == granule[count - 1] / granules_per_line) ++neighbours;
    ++count;
  }
  if (count < least_lanes || neighbours > count / 4) return false;
  // An instruction that mostly needs the long way tries this one only now and then.
  Scattered& last = scattered_[access.instruction % scattered_.size()];
  if (last.instruction != access.instruction) last = {access.instruction, 0};
  if (last.failures > 8 && ++last.failures % 64 != 0) return false;
  const bool done = take_granules(block, access, lines, pool, granule, lane, count);
  last.failures = done ? 0 : last.failures + 1;
  return done;
}

}  // namespace cudasim
