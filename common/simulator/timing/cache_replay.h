// SPDX-License-Identifier: MIT
// The caches, fed with what sampled blocks touch. Blocks that are resident together touch it in turns: a request of
// each warp, then the next one of each. (One block after another would have up to 25 times the traffic.)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "timing/block_trace.h"
#include "timing/sector_cache.h"

namespace cudasim {

/// Blocks that are resident at the same time.
using Wave = std::vector<const BlockTrace*>;

/// How many lines of an instruction's requests there were, and how many of them the cache has not answered in time.
struct LineCounts {
  std::uint64_t lines = 0, missed = 0;
  double rate() const { return lines == 0 ? 0 : static_cast<double>(missed) / static_cast<double>(lines); }
};

struct L1Totals {
  std::uint64_t load_sectors = 0, hits = 0;
  std::vector<LineCounts> by_instruction;  ///< by MicroOp::counter
  /// By wave, block and line: not answered by the L1, or only as it had been asked for just before.
  std::vector<std::vector<std::vector<bool>>> missed;
  double hit_rate() const {
    return load_sectors == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(load_sectors);
  }
};

/// The L1 of one multiprocessor. Stores go through it and leave nothing there.
L1Totals replay_l1(const std::vector<Wave>& waves, std::uint64_t l1_bytes, std::size_t instructions);

/// Sectors. Lines that are drawn (is_drawn()) stand for themselves alone here.
struct L2Totals {
  std::uint64_t load_sectors = 0;  ///< loads and atomics, those that the L1 answers too
  std::uint64_t dram_read = 0;
  std::uint64_t store_sectors = 0;
  std::uint64_t dram_write = 0;       ///< written back, as other lines needed the place
  std::uint64_t store_allocated = 0;  ///< sectors of stores that were not there before
  std::uint64_t dirtied = 0;          ///< sectors that are written and were not dirty before
};

/// The L2, one part in 2^halvings of it.
class L2Replay {
 public:
  L2Replay(std::uint64_t l2_bytes, unsigned halvings, std::size_t instructions);

  /// Each of these waves follows the ones before. `cache` may be of an earlier launch.
  L2Totals add(const Wave& wave);
  const std::vector<LineCounts>& by_instruction() const { return by_instruction_; }

 private:
  const unsigned halvings_;
  SectorCache cache_;
  std::vector<LineCounts> by_instruction_;
  std::uint32_t step_ = 1;
};

}  // namespace cudasim
