// SPDX-License-Identifier: MIT
// What some blocks of a launch show of it: their lives, and what the caches did. All are means or sums over the blocks
// that were sampled, but `estimated`, which is of the whole launch.
#pragma once

#include <cstdint>
#include <string>

#include "timing/scoreboard.h"

namespace cudasim {

struct Sample {
  std::string why_not;       ///< Why there is none: a clause. Empty: there is one, or no block has begun.
  std::uint64_t blocks = 0;  ///< of which it was kept what they touch
  double waves = 0;          ///< the same in blocks that are resident at a time
  BlockLife life;            ///< mean of the blocks that the scoreboard looked at
  std::uint64_t lives = 0;   ///< how many these were
  // In sectors, of all blocks that were sampled.
  double load_sectors = 0, l1_hits = 0, l2_hits = 0, dram_read = 0, store_sectors = 0, dram_write = 0;
  // For the whole launch.
  double l2_partial_sectors = 0;  ///< those of l2_write_sectors that are written in part
  double l2_read_sectors = 0, l2_write_sectors = 0, dram_read_bytes = 0, dram_write_bytes = 0;
  bool is_cold = true;  ///< the L2 was empty at the start, not as the launch before had left it
};

}  // namespace cudasim
