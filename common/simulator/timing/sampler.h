// SPDX-License-Identifier: MIT
// Chooses the blocks of a launch that are sampled, collects their traces from the workers, and looks at them when the
// launch has ended. The result depends on the launch alone, not on the workers.
//
// The blocks of a few multiprocessors in the first two waves are sampled. The sampler keeps the lines that they touch,
// for the caches, and the instructions of a few blocks, for the scoreboard. Where the program has more memory than the
// L2 holds, all blocks of the two waves are sampled, and the sampler keeps some lines of these.
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

  /// Whether this block is sampled. The first one is; what it does decides about the others.
  bool samples(std::uint64_t linear);
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
  bool is_on_sampled_multiprocessor(std::uint64_t linear) const {
    return is_multiprocessor_sampled_[linear % multiprocessors_];
  }
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
  const std::uint64_t blocks_in_waves_;             ///< Blocks behind these are not sampled.
  const bool fits_l2_;                              ///< all memory of the program does
  std::once_flag planned_;
  // The plan, from the first block on.
  unsigned halvings_ = 0;
  std::uint64_t most_instructions_;
  std::vector<std::uint64_t> sampled_multiprocessors_;
  std::vector<bool> is_multiprocessor_sampled_;
  std::uint64_t lives_every_ = 1;  ///< of the blocks on a sampled multiprocessor, so many apart
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockTrace>> traces_;
  BlockTrace* first_ = nullptr;
};

}  // namespace cudasim
