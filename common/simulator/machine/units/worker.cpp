// SPDX-License-Identifier: MIT
#include "machine/units/worker.h"

#include <algorithm>
#include <utility>

#include "base/levels.h"
#include "base/next_multiple.h"
#include "checkers/registry/checks.h"
#include "checkers/setup/watchers.h"
#include "program/copy_slots.h"

namespace cudasim {
namespace {

constexpr std::uint64_t kStepsWorthSpeculation = 100'000;  ///< which needs tables for each worker, and may be in vain
// Warp instructions, at any cost of each. A program that may run without checks may run with them, and the same run
// must find the same.
// This is some ten seconds of one core, but minutes for a loop of atomics of whole warps. A block of the course or of
// the samples takes a few millions.
// Most endless loops are found long before (machine/control/loop_detector.h).
constexpr std::uint64_t kDefaultStepBudget = 1'000'000'000;

// Stacks of a kernel that recurses or calls through pointers. The host gives pages when they are touched.
constexpr std::uint32_t kDeepFrameBytes = 1u << 20;
constexpr std::uint32_t kDeepLocalBytes = 1u << 16;

/// A program may ask for a larger stack, of up to 512 KiB a thread. Registers, which a GPU keeps there too, grow with
/// it.
constexpr std::uint64_t kMostLocalBytes = 512 << 10;
constexpr std::uint64_t kFrameBytesForLocalByte = 128;

std::uint32_t frame_bytes_of(const Program& program, const Launch& launch) {
  if (!program.recursive) return program.stack_frame_bytes;
  const std::uint64_t asked = launch.stack_bytes > kDeepLocalBytes
                                  ? std::min(launch.stack_bytes, kMostLocalBytes) * kFrameBytesForLocalByte
                                  : 0;
  return std::max({kDeepFrameBytes, static_cast<std::uint32_t>(asked), program.functions[0].frame_bytes * 2});
}

std::uint32_t local_bytes_of(const Program& program, const Launch& launch) {
  const auto asked = static_cast<std::uint32_t>(std::min(launch.stack_bytes, kMostLocalBytes));
  const std::uint32_t bytes = program.recursive
                                  ? std::max({kDeepLocalBytes, asked, program.functions[0].local_bytes * 2})
                                  : program.stack_local_bytes;
  return static_cast<std::uint32_t>(next_multiple(bytes, 16));
}

std::shared_ptr<WorkerTiming> timing_of(const Grid& grid, std::shared_ptr<WorkerTiming> known) {
  if (known != nullptr || grid.launch.timing == nullptr) return known;
  return std::make_shared<WorkerTiming>(grid.program);
}

}  // namespace

Worker::Worker(Grid& grid_of_all, const std::shared_ptr<Watcher>& races, std::shared_ptr<WorkerTiming> timing_of_thread,
               std::shared_ptr<Recorder> recorder_of_sample)
    : grid(grid_of_all),
      program(grid.program),
      kernels(lane_kernels(best_level())),
      poison(std::to_integer<int>(grid.memory.poison())),
      frame_bytes(frame_bytes_of(program, grid.launch)),
      local_bytes(local_bytes_of(program, grid.launch)),
      copy_frame(static_cast<std::uint32_t>(next_multiple(frame_bytes, 64))),
      bytes_of_frames(copy_frame + (program.copies_asynchronously ? next_multiple(kCopyFrameBytes, 64) : 0)),
      bytes_of_warp(bytes_of_frames + next_multiple(std::size_t{local_bytes} * kWarpSize, 64)),
      preempts(grid.schedule.order != Schedule::Order::plain),
      // Blocks may change places before every access, that of a parameter too.
      skips_launch_invariant(!preempts && grid.launch.parameters.size() >= program.info.parameter_bytes),
      looks_for_races(races != nullptr),
      step_budget(grid.schedule.step_budget != 0 ? grid.schedule.step_budget : kDefaultStepBudget),
      launch_budget(step_budget <= ~0ull / kBudgetsOfALaunch ? step_budget * kBudgetsOfALaunch : ~0ull),
      counters(zeroed<Counters>(program.origins.size())),
      watchers(make_watchers(grid, races)),
      timing(timing_of(grid, std::move(timing_of_thread))),
      recorder(std::move(recorder_of_sample)) {
  if (recorder) watchers.push_back(recorder);
  if (grid.checks == nullptr || !grid.checks->init) return;
  values = std::make_shared<ValueWatch>(grid, *grid.checks->init, copy_frame + kCopyFrameBytes, local_bytes);
  watchers.push_back(values);
}

/// Atomics of one worker alone need no locked instruction of the host's, which takes five times as long. Where most of
/// the work would need them, two workers are no quicker than one.
bool Worker::call_others(std::uint64_t steps) {
  const std::uint64_t begun = grid.next_block.load(std::memory_order_relaxed);
  if (updates > 3 * steps) return false;
  if (!others || begun >= grid.blocks) return false;
  // The whole of the first block decides what a sample keeps of the others.
  if (recorder && grid.blocks_done.load(std::memory_order_relaxed) == 0) return false;
  // A Schedule with a number of workers has as many look for races in small launches, too. So it can be shown for any
  // kernel that findings do not depend on the number.
  const std::uint64_t worth = !looks_for_races             ? kStepsWorthAnotherWorker
                              : grid.schedule.workers == 0 ? kStepsWorthSpeculation
                                                           : 0;
  if (steps * (grid.blocks - begun) < worth) return false;
  if (looks_for_races && std::any_of(blocks.begin(), blocks.end(), [](const auto& block) { return block->active; }))
    return false;
  std::exchange(others, {})();
  return true;
}

}  // namespace cudasim
