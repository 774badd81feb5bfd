// SPDX-License-Identifier: MIT
// One run of a student's function: poisoned memory, the call, and every check on what came back, as often as it is
// timed. Returns values or throws; report.h makes text of them.
#pragma once

#include <string>
#include <vector>

#include "workbook/device.h"
#include "workbook/problem.h"

namespace workbook {

struct RunResult {
  Device device;
  Settings settings;
  std::string description;  ///< Case::description()
  std::vector<Value> values;
  Verdict verdict;
  double cpu_time_ms = 0.0;
  double time_ms = 0.0;  ///< the median of the calls that were timed; of the host's clock on a simulated device
  int timed_calls = 0;
  std::vector<Settings> other_tasks;  ///< Problem::other_tasks(), where the command line named none of them
};

/// Calls the student's function on `one_case` and judges each call. Matches only if, in every call, the result matches,
/// and at least one interval was timed (unless there was nothing to do).
/// `settings`: what the case was made with; its block size is the one that is used.
/// `repeat`: how many calls are timed; 0 chooses 1 on a simulated device and 5 on a GPU. On a GPU one more call goes
/// before them, checked but not timed, so that loading the kernel is not measured. Stops at the first call that fails.
/// Throws CudaError or UncheckedFailure, and lets through what the function throws (Unsolved among it) except
/// TimerMisuse, which makes a verdict.
RunResult run_case(Case& one_case, const Settings& settings, const Device& device, int repeat = 0);

}  // namespace workbook
