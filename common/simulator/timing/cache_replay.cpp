// SPDX-License-Identifier: MIT
#include "timing/cache_replay.h"

#include <algorithm>

namespace cudasim {
namespace {

constexpr unsigned kWaysOfL1 = 32, kWaysOfL2 = 16;

std::uint64_t count_of(SectorMask sectors) { return static_cast<std::uint64_t>(__builtin_popcount(sectors)); }

struct LineOfWave {
  std::uint32_t block, line;  ///< in the wave, in BlockTrace::lines
};

/// visit(place, access) for each line that `wanted` lets through: all of one step, block by block, before those of the
/// next. Returns the number of steps.
template <class Wanted, class Visit>
std::uint32_t take_turns(const Wave& wave, Wanted wanted, Visit visit) {
  std::uint32_t steps = 0;
  for (const BlockTrace* block : wave) {
    for (const WarpTrace& warp : block->warps) steps = std::max(steps, warp.steps);
  }
  std::vector<std::uint32_t> begin(std::size_t{steps} + 2, 0);
  for (const BlockTrace* block : wave) {
    for (const LineAccess& access : block->lines) begin[access.step + 1] += wanted(access) ? 1 : 0;
  }
  for (std::size_t step = 1; step < begin.size(); ++step) begin[step] += begin[step - 1];
  std::vector<LineOfWave> order(begin.back());
  for (std::uint32_t b = 0; b < wave.size(); ++b) {
    const auto& lines = wave[b]->lines;
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
      if (wanted(lines[i])) order[begin[lines[i].step]++] = {b, i};
    }
  }
  for (const LineOfWave& place : order) visit(place, wave[place.block]->lines[place.line]);
  return steps + 1;
}

}  // namespace

L1Totals replay_l1(const std::vector<Wave>& waves, std::uint64_t l1_bytes, std::size_t instructions) {
  SectorCache cache(l1_bytes / kLineBytes, kWaysOfL1);
  L1Totals totals;
  totals.by_instruction.resize(instructions);
  std::uint32_t first_step = 1;
  for (const Wave& wave : waves) {
    auto& missed = totals.missed.emplace_back();
    for (const BlockTrace* block : wave) missed.emplace_back(block->lines.size(), false);
    first_step += take_turns(
        wave, [](const LineAccess&) { return true; },
        [&](const LineOfWave& place, const LineAccess& access) {
          const auto sectors = static_cast<SectorMask>(access.sectors);
          const auto traffic = static_cast<Traffic>(access.traffic);
          if (traffic == Traffic::store) return;
          SectorCache::Found found;
          if (traffic == Traffic::load) found = cache.read(access.line, sectors, first_step + access.step);
          const bool is_late = (found.hit & ~found.late) != sectors;
          LineCounts& counts = totals.by_instruction[access.instruction];
          ++counts.lines;
          counts.missed += is_late ? 1 : 0;
          missed[place.block][place.line] = is_late;
          if (traffic == Traffic::update) return;
          totals.load_sectors += count_of(sectors);
          totals.hits += count_of(found.hit);
        });
  }
  return totals;
}

L2Replay::L2Replay(std::uint64_t l2_bytes, unsigned halvings, std::size_t instructions)
    : halvings_(halvings), cache_((l2_bytes >> halvings) / kLineBytes, kWaysOfL2), by_instruction_(instructions) {}

L2Totals L2Replay::add(const Wave& wave) {
  L2Totals totals;
  step_ += take_turns(
      wave, [this](const LineAccess& access) { return is_drawn(access.line, halvings_); },
      [&](const LineOfWave&, const LineAccess& access) {
        const auto sectors = static_cast<SectorMask>(access.sectors);
        const auto traffic = static_cast<Traffic>(access.traffic);
        SectorCache::Found found;
        if (traffic != Traffic::store) {
          found = cache_.read(access.line >> halvings_, sectors, step_ + access.step);
          LineCounts& counts = by_instruction_[access.instruction];
          ++counts.lines;
          counts.missed += (found.hit & ~found.late) != sectors ? 1 : 0;
          totals.load_sectors += count_of(sectors);
          totals.dram_read += count_of(found.allocated);
        }
        totals.dram_write += count_of(found.written_back);
        if (traffic == Traffic::load || traffic == Traffic::load_past_l1) return;
        found = cache_.write(access.line >> halvings_, sectors, step_ + access.step);
        totals.store_sectors += traffic == Traffic::store ? count_of(sectors) : 0;
        totals.dirtied += count_of(found.new_dirty);
        totals.store_allocated += traffic == Traffic::store ? count_of(found.allocated) : 0;
        totals.dram_write += count_of(found.written_back);
      });
  return totals;
}

}  // namespace cudasim
