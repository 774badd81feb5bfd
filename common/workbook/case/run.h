// SPDX-License-Identifier: MIT
// Runs a student's function: one case several times for timing, or many cases until one fails. A run poisons memory,
// calls, and checks the results. It returns values or throws; report.h makes the text.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "workbook/case/device.h"
#include "workbook/case/problem.h"

namespace workbook {

/// The conditions of all calls of a case, beside its settings.
struct HowToRun {
  int repeat = 0;               ///< Timed calls. 0 means 1 on a simulated device and 5 on a GPU.
  unsigned char poison = 0xFF;  ///< The poison of the first call. Every second call uses 0xA5, or 0xFF after 0xA5.
  bool has_own_stream = false;  ///< As in Call.
};

/// The result of one case.
struct RunResult {
  Device device;
  Settings settings;
  std::string description;  ///< Case::description()
  std::vector<Value> values;
  std::vector<ArrayPlace> places;  ///< Of the last call.
  Verdict verdict;
  std::string diagnosis;  ///< Sentences on what is wrong, where explain.h looked for it; else "".
  Work work;
  double cpu_time_ms = 0.0;
  double time_ms = 0.0;  ///< The median of the timed calls, by the host's clock on a simulated device.
  int timed_calls =
      0;  ///< 0 where a GPU's first call failed. Then time_ms is the time of that call, with the loading by the driver.
};

/// Calls the student's function on `one_case` and judges each call. The run matches only if the result of every call
/// matches. At least one interval must be timed, unless there is no work.
/// `settings`: the settings of the case; the call uses their block.
/// On a GPU one untimed call goes first, with the same checks. So the times do not include kernel loading, and both
/// poisons occur. Stops at the first call that fails.
/// Throws CudaError or UncheckedFailure. Lets through what the function throws (Unsolved among it), except TimerMisuse,
/// which becomes a verdict.
RunResult run_case(const Problem& problem, Case& one_case, const Settings& settings, const Device& device,
                   const HowToRun& how = {});

/// The result of many cases.
struct CasesResult {
  Device device;
  std::size_t count = 0;            ///< The number of cases that ran. The last one is `failed`, where there is one.
  std::optional<RunResult> failed;  ///< The first case that does not match.
};

/// How far run_cases() has come. Another thread may read it.
struct CasesProgress {
  using Clock = std::chrono::steady_clock;
  std::atomic<std::size_t> count{0};  ///< 0: no list of cases runs.
  std::atomic<std::size_t> ended{0};
  std::atomic<Clock::rep> last_end{0};  ///< Or the time when the first one began.
};

/// Runs the cases in order, each once (on a GPU twice, for both poisons), until one does not match. Does not make a
/// case again where only the block changes. Sets `current` before each case, so that the caller knows the case of an
/// exception. Keeps `progress`, where it is not null.
CasesResult run_cases(const Problem& problem, const std::vector<Settings>& cases, const Device& device,
                      const HowToRun& how, Settings& current, CasesProgress* progress = nullptr);

}  // namespace workbook
