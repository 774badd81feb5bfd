// SPDX-License-Identifier: MIT
// Chooses the blocks of a launch that are sampled, collects their traces from the workers, and looks at them when the
// launch has ended. The result depends on the launch alone, not on the workers.
//
// The first two waves of blocks are sampled, or all of a smaller grid. Of most blocks the sampler keeps only some
// lines, for the L2. Of a few multiprocessors it keeps all lines, for the L1, and of a few of their blocks the
// instructions.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/counters.h"
#include "state/grid.h"
#include "timing/block_trace.h"
#include "timing/cache_replay.h"
#include "timing/launch_timing.h"
#include "timing/sample.h"

namespace cudasim {

class Sampler {
 public:
  Sampler(const Grid& grid, const LaunchTiming& timing);

  /// Blocks behind these are not sampled.
  std::uint64_t sampled_blocks() const { return sampled_blocks_; }
  /// A trace for a block that begins; null: it is not sampled. The sampler owns it.
  BlockTrace* begin_block(std::uint64_t linear);
  /// Whether a line is kept in a block of which only some are.
  bool keeps(std::uint64_t line) const { return is_drawn(line, halvings_); }
  /// Instructions of a warp of which runs are kept at most, and lines of a block.
  std::uint64_t most_instructions() const { return most_instructions_; }
  static constexpr std::size_t kMostLines = 1 << 20;

  /// After the launch. `counters`: its own.
  Sample finish(const Counters& counters);

 private:
  void plan();
  bool is_on_sampled_multiprocessor(std::uint64_t linear) const;
  std::vector<Wave> waves_of(std::uint64_t multiprocessor, bool of_all) const;
  void look_at_lives(const std::vector<L1Totals>& l1, const std::vector<LineCounts>& l2, Sample& sample) const;
  /// What the blocks of a wave did. But for the blocks, in sectors.
  struct Work {
    double blocks = 0, loads = 0, stores = 0, read = 0, allocated = 0, dirtied = 0, written = 0;
    void add(const Work& other, double times) {
      for (double Work::*each :
           {&Work::blocks, &Work::loads, &Work::stores, &Work::read, &Work::allocated, &Work::dirtied, &Work::written})
        this->*each += times * other.*each;
    }
  };
  Work work_of(std::size_t wave, const L2Totals& totals) const;
  void extrapolate(const std::vector<L2Totals>& waves, double hit_rate, const Counters& counters, Sample& sample) const;

  const Grid& grid_;
  const LaunchTiming& timing_;
  const std::uint64_t multiprocessors_, resident_;  ///< resident: blocks on all multiprocessors
  const std::uint64_t sampled_blocks_;
  std::once_flag planned_;
  // The plan, from the first block on.
  unsigned halvings_ = 0;
  std::uint64_t most_instructions_;
  std::vector<std::uint64_t> sampled_multiprocessors_;
  std::uint64_t lives_every_ = 1;  ///< of the blocks on a sampled multiprocessor, so many apart
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockTrace>> traces_;
  BlockTrace* first_ = nullptr;
};

}  // namespace cudasim
