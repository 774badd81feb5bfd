// SPDX-License-Identifier: MIT
#include "checkers/race/shadow/shadow_lines.h"

namespace cudasim {

std::uint8_t pattern_of(Lanes lane, unsigned granule, std::uint8_t pattern) {
  if (pattern < kWarpSize) return pattern;
  if (!lane.is_one()) return Segment::kAnyPattern;
  return Segment::pattern_for(lane.first(), granule, 0);
}

void SegmentPool::add(const Segment& segment, const LaneMap& lane, std::uint32_t& first) {
  const std::uint32_t index = segments.take();
  Segment& s = segments[index];
  s = segment;
  s.lanes = 0;
  if (s.has_map()) {
    s.lanes = maps.take();
    maps[s.lanes] = lane;
  }
  s.next = first;
  first = index;
}

void SegmentPool::spell_out(std::uint32_t& entry, unsigned granule) {
  if (entry == kEndOfList || (entry & Direct::kBit) == 0) return;
  const Direct direct(entry);
  entry = segments.take();
  Segment& single = segments[entry];
  single = segments[direct.segment()];
  single.granules = 1u << granule;
  single.pattern = Segment::pattern_for(direct.lane(), granule, 0);
  single.next = kEndOfList;
  single.lanes = 0;
  release(direct);
}

std::uint32_t SegmentPool::scatter(std::uint32_t first) {
  const std::uint32_t result = lists.take();
  auto& list_of = lists[result];
  list_of.fill(kEndOfList);
  while (first != kEndOfList) {
    const Segment whole = segments[first];
    for (std::uint32_t m = whole.granules; m != 0; m &= m - 1) {
      const auto g = static_cast<unsigned>(__builtin_ctz(m));
      const std::uint32_t index = segments.take();
      Segment& single = segments[index];
      single = whole;
      single.granules = 1u << g;
      single.next = list_of[g];
      single.pattern = pattern_of(lane(whole, g), g, whole.pattern);
      if (single.has_map()) {
        single.lanes = maps.take();
        maps[single.lanes] = maps[whole.lanes];
      }
      list_of[g] = index;
    }
    drop(first);
    first = whole.next;
  }
  return result;
}

void Lines::grow(std::size_t lines) {
  if (lines <= count) return;
  heads = huge_array<Head>(lines);
  witnesses.reset();
  count = lines;
}

}  // namespace cudasim
