// SPDX-License-Identifier: MIT
// What one worker counts for an estimate of the time.
#pragma once

#include "timing/global_accesses.h"
#include "timing/update_queues.h"

namespace cudasim {

struct WorkerTiming {
  GlobalAccesses accesses;
  UpdateQueues updates;

  void add(const WorkerTiming& other) {
    accesses.add(other.accesses);
    updates.add(other.updates);
  }
};

}  // namespace cudasim
