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

/// In a launch that is sampled for an estimate, a scheduler runs the blocks that a Recorder watches, or the others.
struct Sampling {
  enum class Share : std::uint8_t { all, watched, others } share = Share::all;
  Sampler* sampler = nullptr;
  std::shared_ptr<WorkerTiming> timing;  ///< of the same thread's other scheduler; null: a new one
};

class BlockScheduler {
 public:
  /// `races`: null where no checker looks for them.
  explicit BlockScheduler(Grid& grid, const std::shared_ptr<Watcher>& races = {}, const Sampling& sampling = {});

  /// Takes blocks from the grid until there are no more, or the next one is not of its share. `call_others` is called
  /// once, when there is enough to do for more workers. With a race checker it is called only while no block is under
  /// way.
  void run(std::function<void()> call_others = {});
  void add_counters(std::vector<Counters>& by_instruction) const {
    interpreter_.add_counters(by_instruction);
    if (worker_.timing != nullptr && share_ != Share::watched) grid_.launch.timing->add(worker_.timing);
  }
  const std::shared_ptr<WorkerTiming>& timing() const { return worker_.timing; }

 private:
  using Stop = Interpreter::Stop;
  using Share = Sampling::Share;

  Block& add_block();
  void begin(Block& block, std::uint64_t linear);
  void begin_sample(const Block& block);
  /// `is_needed`: blocks under way may wait for it, so it is taken whatever share it belongs to.
  bool take_block(std::uint64_t& linear, bool is_needed, bool& more);
  Stop run_block(Block& block);

  Grid& grid_;
  const Program& program_;
  Worker worker_;
  Interpreter interpreter_;
  const bool preempts_;
  Sampler* const sampler_;
  const Share share_;
  LineSink sink_;                    // of a sampled block that nothing watches
  std::vector<BlockTrace*> traces_;  // likewise, by slot of a block
  /// In adversarial order, in every second launch of a kernel: many blocks come to an access before the first goes
  /// on. It depends on the grid, too: kernels that are launched once have it in some of their cases.
  const bool side_by_side_;
  WarpSplit start_;  // of a whole warp that begins
};

}  // namespace cudasim
