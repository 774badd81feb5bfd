// SPDX-License-Identifier: MIT
// What one worker counts for an estimate of the time.
#pragma once

#include "timing/block_waits.h"
#include "timing/global_accesses.h"
#include "timing/update_queues.h"

namespace cudasim {

struct WorkerTiming {
  explicit WorkerTiming(const Program& program) : waits(program) {}

  GlobalAccesses accesses;
  UpdateQueues updates;
  BlockWaits waits;  ///< Where blocks may wait for each other, one worker runs all of them.

  /// The accesses that follow are of this instruction, by MicroOp::counter.
  void come_to(std::uint32_t instruction) {
    if (accesses.sink != nullptr) accesses.sink->instruction = instruction;
  }
  /// The next instructions are of this warp.
  void turn_to(std::uint32_t warp) {
    if (accesses.sink != nullptr) accesses.sink->warp = warp;
  }
  void add(const WorkerTiming& other) {
    accesses.add(other.accesses);
    updates.add(other.updates);
  }
};

}  // namespace cudasim
