// SPDX-License-Identifier: MIT
// Runs a student's function: one case as often as it is timed, or many cases until one fails. Poisoned memory, the
// call, and every check on what came back. Returns values or throws; report.h makes text of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "workbook/case/device.h"
#include "workbook/case/problem.h"

namespace workbook {

/// How a case is called, beside its settings.
struct HowToRun {
  int repeat = 0;               ///< timed calls; 0: 1 on a simulated device, 5 on a GPU
  unsigned char poison = 0xFF;  ///< of the first call; of every second one the bytes are 0xA5, or 0xFF after 0xA5
  bool has_own_stream = false;  ///< Call's
};

struct RunResult {
  Device device;
  Settings settings;
  std::string description;  ///< Case::description()
  std::vector<Value> values;
  Verdict verdict;
  std::string diagnosis;  ///< where it was looked for (explain.h): sentences on what is wrong, or ""
  Work work;
  double cpu_time_ms = 0.0;
  double time_ms = 0.0;  ///< the median of the calls that were timed; of the host's clock on a simulated device
  int timed_calls = 0;   ///< 0: a GPU's first call failed, and time_ms is its, with all that the driver had to load
};

/// Calls the student's function on `one_case` and judges each call. Matches only if, in every call, the result matches,
/// and at least one interval was timed (unless there was nothing to do).
/// `settings`: what the case was made with; its block is the one that is used.
/// On a GPU one more call goes before those that are timed, checked like them, so that loading the kernel is not
/// measured and both poisons are met. Stops at the first call that fails.
/// Throws CudaError or UncheckedFailure, and lets through what the function throws (Unsolved among it) except
/// TimerMisuse, which makes a verdict.
RunResult run_case(const Problem& problem, Case& one_case, const Settings& settings, const Device& device,
                   const HowToRun& how = {});

/// What came of many cases.
struct CasesResult {
  Device device;
  std::size_t count = 0;            ///< that were run, the last of them `failed` where there is one
  std::optional<RunResult> failed;  ///< the first that does not match
};

/// Runs one case after the other, each once (on a GPU twice, for both poisons), until one does
/// not match. A case whose settings differ from those before it in their block alone is not made again. Before each,
/// `current` is set to its settings, so that the caller knows of which one an exception comes.
CasesResult run_cases(const Problem& problem, const std::vector<Settings>& cases, const Device& device,
                      const HowToRun& how, Settings& current);

}  // namespace workbook
