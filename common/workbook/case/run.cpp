// SPDX-License-Identifier: MIT
// The order of a run: poison, call, wait, check.
#include "workbook/case/run.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "workbook/student/gpu_timer.h"
#include "workbook/student/todo.h"

namespace workbook {
namespace {

struct TimedCall {
  Outcome outcome;
  double time_ms = 0.0;
};

TimedCall one_call(Case& one_case, const Call& call, const Device& device, double device_bytes) {
  const auto poisoned_pages = poison_free_memory(device, device_bytes);
  TimedCall timed;
  GpuTimer timer;
  const auto misuse = [&timed](const std::string& what) {
    timed.outcome.verdict.matches = false;
    timed.outcome.verdict.reason = what + "; call start() before the first launch and stop() after the last";
    timed.outcome.verdict.bound = std::numeric_limits<double>::quiet_NaN();
  };
  try {
    timed.outcome = one_case.call(call, timer);
    check_device_after_call();
    if (timer.was_used() || !one_case.is_empty()) timed.time_ms = timer.elapsed_ms();
  } catch (const TimerMisuse& error) {
    misuse(error.what());
  }
  return timed;
}

bool differ_in_block_alone(const Settings& one, const Settings& other) {
  return one.sizes == other.sizes && one.seed == other.seed && one.options == other.options &&
         one.changed == other.changed;
}

}  // namespace

RunResult run_case(const Problem& problem, Case& one_case, const Settings& settings, const Device& device,
                   const HowToRun& how) {
  constexpr int kCallsOnGpu = 5;
  RunResult result;
  result.device = device;
  result.settings = settings;
  result.description = one_case.description();
  result.work = problem.work(settings);
  result.cpu_time_ms = one_case.cpu_time_ms();

  const int timed_calls = how.repeat > 0 ? how.repeat : (device.is_simulated ? 1 : kCallsOnGpu);
  const int warm_up_calls = device.is_simulated ? 0 : 1;
  const unsigned char other_poison = how.poison == 0xFF ? 0xA5 : 0xFF;
  std::vector<double> times_ms;
  for (int i = 0; i < warm_up_calls + timed_calls; ++i) {
    result.places.clear();
    const unsigned char poison = i % 2 == 0 ? how.poison : other_poison;
    const Call call{settings.block, poison, !device.is_simulated, how.has_own_stream, &result.places};
    TimedCall timed = one_call(one_case, call, device, problem.device_bytes(settings));
    result.values = std::move(timed.outcome.values);
    result.verdict = std::move(timed.outcome.verdict);
    if (i == 0) result.time_ms = timed.time_ms;
    if (i >= warm_up_calls) times_ms.push_back(timed.time_ms);
    if (!result.verdict.matches) break;
  }
  std::sort(times_ms.begin(), times_ms.end());
  result.timed_calls = static_cast<int>(times_ms.size());
  if (!times_ms.empty()) result.time_ms = times_ms[times_ms.size() / 2];
  return result;
}

CasesResult run_cases(const Problem& problem, const std::vector<Settings>& cases, const Device& device,
                      const HowToRun& how, Settings& current, CasesProgress* progress) {
  CasesResult result;
  result.device = device;
  std::unique_ptr<Case> one_case;
  const auto note_progress = [&] {
    if (progress == nullptr) return;
    progress->count = cases.size();
    progress->ended = result.count;
    progress->last_end = CasesProgress::Clock::now().time_since_epoch().count();
  };
  for (const Settings& settings : cases) {
    const bool is_made = one_case != nullptr && differ_in_block_alone(settings, current);
    current = settings;
    note_progress();
    if (!is_made) {
      one_case.reset();  // first, because memory may not hold both
      one_case = problem.make_case(settings);
    }
    ++result.count;
    try {
      RunResult run = run_case(problem, *one_case, settings, device, {1, how.poison, how.has_own_stream});
      if (run.verdict.matches) continue;
      result.failed = std::move(run);
    } catch (Unsolved& unsolved) {
      unsolved.add_matching_cases(result.count - 1);
      throw;
    }
    break;
  }
  return result;
}

}  // namespace workbook
