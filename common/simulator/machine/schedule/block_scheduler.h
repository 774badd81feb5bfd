// SPDX-License-Identifier: MIT
// The scheduler of one worker: it runs the warps of one block after another on one host thread. It decides whose turn
// it is among a worker's blocks and a block's warps.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "machine/interpreter.h"
#include "machine/units/worker.h"

namespace cudasim {

class BlockScheduler {
 public:
  /// `races`: null where no checker looks for them.
  explicit BlockScheduler(Grid& grid, const std::shared_ptr<Watcher>& races = {});

  /// Takes blocks from the grid until there are no more. `call_others` is called once, when there is enough to do for
  /// more workers. With a race checker it is called only while no block is under way.
  void run(std::function<void()> call_others = {});
  void add_counters(std::vector<Counters>& by_instruction) const { interpreter_.add_counters(by_instruction); }

 private:
  using Stop = Interpreter::Stop;

  Block& add_block();
  void begin(Block& block, std::uint64_t linear);
  bool take_block(std::uint64_t& linear);
  Stop run_block(Block& block);

  Grid& grid_;
  const Program& program_;
  Worker worker_;
  Interpreter interpreter_;
  const bool preempts_;
  const bool side_by_side_;  // Preemption::is_side_by_side()
  WarpSplit start_;          // of a whole warp that begins
};

}  // namespace cudasim
