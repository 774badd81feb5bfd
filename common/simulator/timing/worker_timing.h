// SPDX-License-Identifier: MIT
// What one worker counts for an estimate of the time.
#pragma once

#include "timing/block_waits.h"
#include "timing/global_accesses.h"
#include "timing/update_queues.h"

namespace cudasim {

struct WorkerTiming {
  explicit WorkerTiming(const Program& program) : accesses(program.origins.size()), waits(program) {}

  GlobalAccesses accesses;
  UpdateQueues updates;
  BlockWaits waits;  ///< Where blocks may wait for each other, one worker runs all of them.

  void add(const WorkerTiming& other) {
    accesses.add(other.accesses);
    updates.add(other.updates);
  }
};

}  // namespace cudasim
