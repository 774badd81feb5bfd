// SPDX-License-Identifier: MIT
// Runs the warps of one block after another on one host thread: whose turn it is, of blocks on a worker and of warps in
// a block. One a worker.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "machine/interpreter.h"
#include "machine/units/worker.h"

namespace cudasim {

class BlockScheduler {
 public:
  /// `races`: null where they are not looked for.
  explicit BlockScheduler(Grid& grid, const std::shared_ptr<Watcher>& races = {});

  /// Takes blocks from the grid until there are no more. `call_others`: called once, when there is enough to do for
  /// more workers; where races are looked for, only while no block is under way.
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
  /// In adversarial order, in every second launch of a kernel: many blocks come to an access before the first goes on.
  const bool side_by_side_;
  Fragment start_;  // of a whole warp that begins
};

}  // namespace cudasim
