// SPDX-License-Identifier: MIT
// What an estimate of the time of one launch needs (CUDASIM_TIMING). These are counts, never microseconds. The runtime
// makes the object, the workers of the launch add to it, and report/FORMAT.md describes its fields.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/counters.h"
#include "timing/instruction_class.h"
#include "timing/latencies.h"
#include "timing/sample.h"
#include "timing/warm_cache.h"
#include "timing/worker_timing.h"

namespace cudasim {

/// Calls of the host, by what they ask the device for.
struct CallsOfHost {
  std::uint64_t launch = 0, memset = 0, copy = 0, attribute = 0, other = 0, sync = 0;
  bool is_before_first = true;  ///< No launch has come yet: most of them set the program up.
  bool since_event = false;     ///< Before the first launch, an event was recorded. The calls are those since then.
};

struct LaunchTiming {
  Latencies latencies;

  // ---- by the runtime, before the launch
  std::uint32_t registers = 0;  ///< a thread, as ptxas gives them; 0: not known
  std::uint32_t spilled_bytes = 0;
  std::uint32_t blocks_a_multiprocessor = 0;  ///< that are resident; an estimate where `registers` is 0
  CallsOfHost calls_before;                   ///< since the launch before
  std::uint64_t streams = 0;                  ///< that have had work
  bool in_graph = false;

  std::shared_ptr<WarmCache> l2;  ///< what launches before have left in the L2; null: nothing

  // ---- by the workers
  std::shared_ptr<WorkerTiming> counts;  ///< null: none yet, and from finish() on
  void add(const std::shared_ptr<WorkerTiming>& of_worker);

  Sample sample;  ///< what some blocks show

  // ---- by finish(), after it
  GlobalAccesses::Totals accesses;
  UpdateQueues::Queue longest_queue;
  BlockWaits::Result waits;
  std::array<std::uint64_t, kInstructionClasses> classes{};  ///< instructions of PTX, one a warp
  std::map<std::string, std::uint64_t> tensor_shapes;
  std::set<std::string> without_rate;  ///< opcodes of the class `other`

  /// `by_instruction`: how often each was executed, by MicroOp::counter.
  void finish(const Program& program, const std::vector<Counters>& by_instruction);
};

}  // namespace cudasim
