// SPDX-License-Identifier: MIT
#include "timing/caches/cache_replay.h"

#include <algorithm>

namespace cudasim {
namespace {

// The hit rates of an H200 are those of an L1 with few ways, and of an L2 with many.
constexpr unsigned kWaysOfL1 = 4, kWaysOfL2 = 16;

std::uint64_t count_of(SectorMask sectors) { return static_cast<std::uint64_t>(__builtin_popcount(sectors)); }

struct LineOfWave {
  std::uint32_t block, line;  ///< in the wave, in BlockTrace::lines
};

/// visit(access) for each line that `wanted` lets through: all of one step, block by block, before those of the
/// next. Returns the number of steps.
template <class Wanted, class Visit>
std::uint32_t take_turns(const Wave& wave, Wanted wanted, Visit visit) {
  std::uint32_t steps = 0;
  for (const BlockTrace* block : wave) {
    for (const WarpTrace& warp : block->warps) steps = std::max(steps, warp.steps);
  }
  std::vector<std::uint32_t> begin(std::size_t{steps} + 2, 0);
  for (const BlockTrace* block : wave) {
    for (const LineAccess& access : block->lines) begin[access.step + 1] += wanted(access) ? 1u : 0u;
  }
  for (std::size_t step = 1; step < begin.size(); ++step) begin[step] += begin[step - 1];
  std::vector<LineOfWave> order(begin.back());
  for (std::uint32_t b = 0; b < wave.size(); ++b) {
    const auto& lines = wave[b]->lines;
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
      if (wanted(lines[i])) order[begin[lines[i].step]++] = {b, i};
    }
  }
  for (const LineOfWave& place : order) visit(wave[place.block]->lines[place.line]);
  return steps + 1;
}

}  // namespace

L1Totals replay_l1(const std::vector<Wave>& waves, std::uint64_t l1_bytes, std::vector<LineCounts>& by_instruction) {
  SectorCache cache(l1_bytes / kLineBytes, kWaysOfL1, SectorCache::Sets::drawn, 1);
  L1Totals totals;
  std::uint32_t first_step = 1;
  for (const Wave& wave : waves) {
    first_step += take_turns(
        wave, [](const LineAccess& access) { return static_cast<Traffic>(access.traffic) != Traffic::store; },
        [&](LineAccess& access) {
          const auto sectors = static_cast<SectorMask>(access.sectors);
          const auto traffic = static_cast<Traffic>(access.traffic);
          SectorCache::Found found;
          if (traffic == Traffic::load) found = cache.read(access.line, sectors, first_step + access.step);
          const L1Answer answer = found.hit != sectors ? L1Answer::fetched
                                  : found.late != 0    ? L1Answer::late
                                                       : L1Answer::hit;
          access.answer = static_cast<std::uint8_t>(answer) & 0xf;
          LineCounts& counts = by_instruction[access.instruction];
          ++counts.lines;
          counts.fetched += answer == L1Answer::fetched ? 1 : 0;
          counts.late += answer == L1Answer::late ? 1 : 0;
          if (traffic == Traffic::update) return;
          totals.load_sectors += count_of(sectors);
          totals.hits += count_of(found.hit);
        });
  }
  return totals;
}

L2Replay::L2Replay(std::uint64_t l2_bytes, unsigned halvings, std::size_t instructions)
    : halvings_(halvings),
      cache_((l2_bytes >> halvings) / kLineBytes, kWaysOfL2, SectorCache::Sets::in_turn, 2),
      by_instruction_(instructions) {}

L2Totals L2Replay::add(const Wave& wave) {
  L2Totals totals;
  const auto comes_here = [this](const LineAccess& access) { return is_drawn(access.line, halvings_); };
  step_ += take_turns(wave, comes_here, [&](const LineAccess& access) {
    const auto sectors = static_cast<SectorMask>(access.sectors);
    const auto traffic = static_cast<Traffic>(access.traffic);
    const std::uint64_t line = access.line >> halvings_;
    SectorCache::Found found;
    if (traffic != Traffic::store) {
      found = cache_.read(line, sectors, step_ + access.step);
      LineCounts& counts = by_instruction_[access.instruction];
      ++counts.lines;
      if (found.hit != sectors) {
        ++counts.fetched;
      } else if (found.late != 0) {
        ++counts.late;
      }
      totals.load_sectors += count_of(sectors);
      totals.dram_read += count_of(found.allocated);
      totals.dram_write += count_of(found.written_back);
    }
    if (traffic == Traffic::load || traffic == Traffic::load_past_l1) return;
    found = cache_.write(line, sectors, step_ + access.step);
    totals.dirtied += count_of(found.new_dirty);
    totals.dram_write += count_of(found.written_back);
    if (traffic == Traffic::update) return;
    totals.store_sectors += count_of(sectors);
    totals.store_allocated += count_of(found.allocated);
  });
  return totals;
}

}  // namespace cudasim
