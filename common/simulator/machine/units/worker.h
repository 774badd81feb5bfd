// SPDX-License-Identifier: MIT
// What the units of one worker share, as those of a multiprocessor do. Workers share only the program, the memory and
// the Grid. The Grid hands out blocks and collects findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/counters.h"
#include "checkers/init/value_watch.h"
#include "machine/units/deferred_atomics.h"
#include "state/grid.h"
#include "state/watcher.h"
#include "state/zeroed.h"
#include "timing/launch_timing.h"
#include "timing/recorder.h"
#include "vector/lane_kernels.h"

namespace cudasim {

/// Steps of warps: to start another thread takes about as long as a few thousand of them.
constexpr std::uint64_t kStepsWorthAnotherWorker = 20'000;

/// Blocks that may each use up their budget before the launch has used up its own.
constexpr std::uint64_t kBudgetsOfALaunch = 100;

struct Worker {
  /// `races`: null where no checker looks for them. `timing_of_thread`: null for a new one. `recorder`: null where no
  /// block is sampled for an estimate.
  Worker(Grid& grid_of_all, const std::shared_ptr<Watcher>& races, std::shared_ptr<WorkerTiming> timing_of_thread,
         std::shared_ptr<Recorder> recorder);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Grid& grid;
  const Program& program;
  const LaneKernels& kernels;
  const int poison;                              ///< What shared and local memory hold before the first write.
  const std::uint32_t frame_bytes, local_bytes;  ///< Stacks of a warp, of a lane.
  const std::uint32_t copy_frame;     ///< Behind the former: the slots through which asynchronous copies pass.
  const std::size_t bytes_of_frames;  ///< A warp's registers, and the slots of copies.
  const std::size_t bytes_of_warp;    ///< The same, and local memory.
  const bool preempts;                ///< Warps are interrupted.
  const bool skips_launch_invariant;  ///< Program::launch_invariant is carried out once for each storage of a block.
  const bool looks_for_races;
  const std::uint64_t step_budget;             ///< Warp instructions of a block.
  const std::uint64_t launch_budget;           ///< Those of all blocks together.
  std::vector<std::unique_ptr<Block>> blocks;  ///< Under way, or free.
  Zeroed<Counters> counters;                   ///< By counter; without those of ExecutionCounts.
  DeferredAtomics additions;                   ///< Empty while this worker is alone.
  std::uint64_t updates =
      0;  ///< Updates of words by lanes in the block that began last that need locks with several workers.
  std::vector<std::shared_ptr<Watcher>> watchers;
  std::function<void()> others;                ///< calls other workers; empty: they have been called
  const std::shared_ptr<WorkerTiming> timing;  ///< null: no counts for an estimate are wanted
  std::shared_ptr<Recorder> recorder;          ///< one of the watchers, which also sees runs; null: no block is sampled
  std::shared_ptr<ValueWatch> values;          ///< one of the watchers, which also sees registers; null: no check

  /// Whether other workers were called now: a block has taken `steps`, and others are left.
  bool call_others(std::uint64_t steps);
};

/// A part of the machine that carries out instructions of one kind.
class Unit {
 protected:
  explicit Unit(Worker& worker)
      : worker_(worker),
        grid_(worker.grid),
        program_(worker.program),
        kernels_(worker.kernels),
        counters_(worker.counters.get()),
        watchers_(worker.watchers),
        values_(worker.values.get()),
        timing_(worker.timing.get()) {}
  ~Unit() = default;
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  Worker& worker_;
  Grid& grid_;
  const Program& program_;
  const LaneKernels& kernels_;
  Counters* const counters_;
  const std::vector<std::shared_ptr<Watcher>>& watchers_;
  ValueWatch* const values_;    // null: undefined values are not followed
  WorkerTiming* const timing_;  // null: as above
};

/// How an instruction ends that may have to wait for other lanes or warps.
enum class Sync : std::uint8_t { passed, parked, fault };

}  // namespace cudasim
