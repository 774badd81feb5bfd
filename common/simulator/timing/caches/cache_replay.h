// SPDX-License-Identifier: MIT
// The caches, fed with what sampled blocks touch. Blocks that are resident together touch it in turns: a request of
// each warp, then the next one of each. (One block after another would have up to 25 times the traffic.)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "timing/caches/block_trace.h"
#include "timing/caches/sector_cache.h"

namespace cudasim {

/// Blocks that are resident at the same time.
using Wave = std::vector<BlockTrace*>;

/// How many lines of an instruction's requests came to a cache, and what it made of them.
struct LineCounts {
  std::uint64_t lines = 0;
  std::uint64_t fetched = 0;  ///< It had to fetch some of their sectors.
  std::uint64_t late = 0;     ///< It was just fetching them.
  double rate(std::uint64_t some) const {
    return lines == 0 ? 0 : static_cast<double>(some) / static_cast<double>(lines);
  }
};

struct L1Totals {
  std::uint64_t load_sectors = 0, hits = 0;
};

/// The L1 of one multiprocessor. Stores go through it and leave nothing there. Sets LineAccess::answer, and adds to
/// `by_instruction`, by MicroOp::counter.
L1Totals replay_l1(const std::vector<Wave>& waves, std::uint64_t l1_bytes, std::vector<LineCounts>& by_instruction);

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

  /// Each of these waves follows the ones before.
  L2Totals add(const Wave& wave);
  const std::vector<LineCounts>& by_instruction() const { return by_instruction_; }

 private:
  const unsigned halvings_;
  SectorCache cache_;
  std::vector<LineCounts> by_instruction_;
  std::uint32_t step_ = 1;
};

}  // namespace cudasim
