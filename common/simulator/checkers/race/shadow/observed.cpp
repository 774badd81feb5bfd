// SPDX-License-Identifier: MIT
// Threads that have read what the atomics of a place left, and so know that they are complete (see Witness). Only the
// last of these threads is kept. It has read the most, and what is not ordered after it races with it anyway.
#include "checkers/race/shadow/race_checker.h"

namespace cudasim {

/// Whether the next access of `lane` comes after the accesses that `witness` knows.
bool RaceChecker::observed(const RaceBlock& block, const Access& access, unsigned lane, const Witness& witness) const {
  const auto& clocks = block.clocks;
  if (order_.ordered(clocks, access.warp, witness.block, witness.warp, witness.clock)) return true;
  return witness.block == clocks.block &&
         clocks.orders_lanes(witness.warp, 1u << witness.lane, witness.clock, access.warp, 1u << lane);
}

/// The subset of `granules` whose strong writes so far come before the new access.
std::uint32_t RaceChecker::observed(const RaceBlock& block, const Access& access, const Lines& lines, const Staged& now,
                                    std::uint32_t granules) const {
  std::uint32_t result = 0;
  if (!lines.witnesses) return result;
  for (std::uint32_t m = granules; m != 0; m &= m - 1) {
    const auto g = static_cast<unsigned>(__builtin_ctz(m));
    const Witness& witness = lines.witnesses[now.line * kGranulesPerLine + g];
    if (witness.generation != lines.generation || !witness.known) continue;
    bool all = true;
    for (Mask lanes = now.lane[g].mask; lanes != 0 && all; lanes &= lanes - 1)
      all = observed(block, access, static_cast<unsigned>(__builtin_ctz(lanes)), witness);
    if (all) result |= 1u << g;
  }
  return result;
}

/// After a strong access of `granule`, from the first one of `lines` on.
void RaceChecker::observe(const RaceBlock& block, const Access& access, Lines& lines, std::uint64_t granule,
                          unsigned lane) const {
  if (!lines.witnesses) lines.witnesses = huge_array<Witness>(lines.count * kGranulesPerLine);
  Witness& witness = lines.witnesses[granule];
  const bool first = witness.generation != lines.generation;
  witness.known = first || access.kind.observes || (witness.known && observed(block, access, lane, witness));
  if (!witness.known) return;
  witness.generation = lines.generation;
  witness.block = block.clocks.block;
  witness.clock = block.clocks.warps[access.warp].now;
  witness.warp = static_cast<std::uint16_t>(access.warp);
  witness.lane = static_cast<std::uint8_t>(lane);
}

/// When several lanes touch one granule, the lane that runs last counts. Without a result it knows nothing of the
/// others.
void RaceChecker::observe(const RaceBlock& block, const Access& access, Lines& lines, const Staged& now,
                          std::uint32_t granules) const {
  for (std::uint32_t m = granules; m != 0; m &= m - 1) {
    const auto g = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t granule = now.line * kGranulesPerLine + g;
    if (!now.lane[g].is_one()) observe(block, access, lines, granule, now.lane[g].first());
    observe(block, access, lines, granule, now.lane[g].last());
  }
}

}  // namespace cudasim
