// SPDX-License-Identifier: MIT
// Chooses the blocks of a launch that are sampled, collects their traces from the workers, and looks at them when the
// launch has ended. The result depends on the launch alone, not on the workers.
//
// The blocks of the first two waves are sampled: of most some lines, for the L2, of those of a few multiprocessors all
// lines, for the L1, and of a few of these the instructions, for the scoreboard.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/counters.h"
#include "state/grid.h"
#include "timing/caches/block_trace.h"
#include "timing/caches/cache_replay.h"
#include "timing/launch_timing.h"
#include "timing/sample.h"

namespace cudasim {

class Sampler {
 public:
  Sampler(const Grid& grid, const LaunchTiming& timing);

  /// Whether a Recorder keeps this block's trace. It keeps that of the first one, which decides about the others.
  bool watches(std::uint64_t linear);
  /// A trace for a block that begins; null: it is not sampled. The sampler owns it.
  BlockTrace* begin_block(std::uint64_t linear);
  /// In a block that nothing watches, one in 2^halvings lines is kept.
  unsigned halvings() const { return halvings_; }
  /// The runs of so many instructions of a warp are kept at most.
  std::uint64_t most_instructions() const { return most_instructions_; }

  /// After the launch. `counters`: its own. `accesses`: those of all its blocks.
  Sample finish(const Counters& counters, const GlobalAccesses& accesses);

 private:
  /// What the blocks of a wave did. But for the blocks, in sectors.
  struct Work {
    double blocks = 0, loads = 0, stores = 0, read = 0, allocated = 0, dirtied = 0, written = 0;
    void add(const Work& other, double times) {
      for (double Work::*each :
           {&Work::blocks, &Work::loads, &Work::stores, &Work::read, &Work::allocated, &Work::dirtied, &Work::written})
        this->*each += times * other.*each;
    }
  };

  /// Parts of the sectors that are stored: those that the L1 puts to others, and those to which it puts others.
  struct Merged {
    double part = 0, filled = 0;
  };
  Merged merged_stores() const;

  void plan();
  bool is_on_sampled_multiprocessor(std::uint64_t linear) const {
    return is_multiprocessor_sampled_[linear % multiprocessors_];
  }
  std::vector<Wave> waves_of(std::optional<std::uint64_t> multiprocessor) const;
  Work work_of(std::size_t wave, const L2Totals& totals) const;
  double fill(const std::vector<L2Totals>& waves, double hit_rate, const Counters& counters,
              const GlobalAccesses& accesses, Sample& sample) const;
  void look_at_lives(const std::vector<LineCounts>& l1, const std::vector<LineCounts>& l2, double cold,
                     Sample& sample) const;

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
