// SPDX-License-Identifier: MIT
#include "machine/units/worker.h"

#include <algorithm>

#include "base/levels.h"
#include "checkers/checks.h"
#include "checkers/watchers.h"
#include "program/copy_slots.h"

namespace cudasim {
namespace {

// Stacks of a kernel that recurses or calls through pointers. The host gives pages when they are touched.
constexpr std::uint32_t deep_frame_bytes = 1u << 20;
constexpr std::uint32_t deep_local_bytes = 1u << 16;

std::uint32_t frame_bytes_of(const Program& program) {
  return program.recursive ? std::max(deep_frame_bytes, program.functions[0].frame_bytes * 2)
                           : program.stack_frame_bytes;
}

std::uint32_t local_bytes_of(const Program& program) {
  const std::uint32_t bytes =
      program.recursive ? std::max(deep_local_bytes, program.functions[0].local_bytes * 2) : program.stack_local_bytes;
  return static_cast<std::uint32_t>(round_up(bytes, 16));
}

}  // namespace

Worker::Worker(Grid& grid_of_all, const std::shared_ptr<Watcher>& races)
    : grid(grid_of_all),
      program(grid.program),
      kernels(lane_kernels(best_level())),
      poison(std::to_integer<int>(grid.memory.poison())),
      frame_bytes(frame_bytes_of(program)),
      local_bytes(local_bytes_of(program)),
      copy_frame(static_cast<std::uint32_t>(round_up(frame_bytes, 64))),
      bytes_of_frames(copy_frame + (program.copies_asynchronously ? round_up(copy_frame_bytes, 64) : 0)),
      bytes_of_warp(bytes_of_frames + round_up(std::size_t{local_bytes} * warp_size, 64)),
      preempts(grid.schedule.order != Schedule::Order::plain),
      // Blocks may change places before every access, that of a parameter too.
      skips_settled(!preempts && grid.launch.parameters.size() >= program.info.parameter_bytes),
      looks_for_races(races != nullptr),
      counters(zeroed<Counters>(program.origins.size())),
      watchers(make_watchers(grid, races)) {
  if (grid.checks == nullptr || !grid.checks->init) return;
  values = std::make_shared<ValueWatch>(grid, *grid.checks->init, copy_frame + copy_frame_bytes, local_bytes);
  watchers.push_back(values);
}

}  // namespace cudasim
