// SPDX-License-Identifier: MIT
// Who has read what the atomics of a place left, and so knows that they are done (see Observer). Only the last one who
// knows is kept: of those who read, the last has read the most, and what is not ordered after it races with it anyway.
#include "observers/races.h"

namespace cudasim {

/// Whether what `lane` does now comes after the accesses that `observer` knows of.
bool RaceChecker::observed(const RaceBlock& block, const Access& access, unsigned lane,
                           const Observer& observer) const {
  const auto& clocks = block.clocks;
  if (order_.ordered(clocks, access.warp, observer.block, observer.warp, observer.clock)) return true;
  return observer.block == clocks.block && observer.warp == access.warp &&
         clocks.warps[access.warp].orders_lanes(observer.lane, observer.clock, lane);
}

/// Of `granules`, those whose strong writes so far come before the new access.
std::uint32_t RaceChecker::observed(const RaceBlock& block, const Access& access, const Lines& lines, const Staged& now,
                                    std::uint32_t granules) const {
  std::uint32_t result = 0;
  if (!lines.observers) return result;
  for (std::uint32_t m = granules; m != 0; m &= m - 1) {
    const auto g = static_cast<unsigned>(__builtin_ctz(m));
    const Observer& observer = lines.observers[now.line * granules_per_line + g];
    if (observer.generation != lines.generation || !observer.known) continue;
    if (observed(block, access, now.lane[g].first, observer) && observed(block, access, now.lane[g].last, observer))
      result |= 1u << g;
  }
  return result;
}

/// After a strong access of `granule`, from the first one of `lines` on.
void RaceChecker::observe(const RaceBlock& block, const Access& access, Lines& lines, std::uint64_t granule,
                          unsigned lane) const {
  if (!lines.observers) lines.observers = huge_array<Observer>(lines.count * granules_per_line);
  Observer& observer = lines.observers[granule];
  const bool first = observer.generation != lines.generation;
  observer.known = first || access.kind.observes || (observer.known && observed(block, access, lane, observer));
  if (!observer.known) return;
  observer.generation = lines.generation;
  observer.block = block.clocks.block;
  observer.clock = block.clocks.warps[access.warp].now;
  observer.warp = static_cast<std::uint16_t>(access.warp);
  observer.lane = static_cast<std::uint8_t>(lane);
}

/// Of several lanes at one granule, it is the one whose turn comes last that counts.
void RaceChecker::observe(const RaceBlock& block, const Access& access, Lines& lines, const Staged& now,
                          std::uint32_t granules) const {
  for (std::uint32_t m = granules; m != 0; m &= m - 1) {
    const auto g = static_cast<unsigned>(__builtin_ctz(m));
    observe(block, access, lines, now.line * granules_per_line + g, now.lane[g].last);
  }
}

}  // namespace cudasim
