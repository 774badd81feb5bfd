// SPDX-License-Identifier: MIT
// The order of a run: poison, call, wait, check.
#include "workbook/run.h"

#include <algorithm>
#include <string>
#include <vector>

namespace workbook {
namespace {

struct Call {
  Outcome outcome;
  double time_ms = 0.0;
};

Call one_call(Case& one_case, unsigned block_size, const Device& device) {
  const auto poisoned_pages = poison_free_memory(device, one_case.device_floats());
  Call call;
  GpuTimer timer;
  try {
    call.outcome = one_case.call(block_size, timer);
    check_device_after_call();
    if (timer.interval_count() > 0 || timer.is_running() || !one_case.is_empty()) call.time_ms = timer.elapsed_ms();
  } catch (const TimerMisuse& error) {
    call.outcome.verdict.matches = false;
    call.outcome.verdict.reason =
        std::string(error.what()) + "; call start() before the first launch and stop() after the last";
  }
  return call;
}

}  // namespace

RunResult run_case(Case& one_case, const Settings& settings, const Device& device, int repeat) {
  constexpr int kCallsOnGpu = 5;
  RunResult result;
  result.device = device;
  result.settings = settings;
  result.description = one_case.description();
  result.cpu_time_ms = one_case.cpu_time_ms();

  const int timed_calls = repeat > 0 ? repeat : (device.is_simulated ? 1 : kCallsOnGpu);
  const int warm_up_calls = device.is_simulated ? 0 : 1;
  std::vector<double> times_ms;
  for (int i = 0; i < warm_up_calls + timed_calls; ++i) {
    const Call call = one_call(one_case, settings.block_size, device);
    result.values = call.outcome.values;
    result.verdict = call.outcome.verdict;
    if (i >= warm_up_calls || !result.verdict.matches) times_ms.push_back(call.time_ms);
    if (!result.verdict.matches) break;
  }
  std::sort(times_ms.begin(), times_ms.end());
  result.timed_calls = static_cast<int>(times_ms.size());
  result.time_ms = times_ms[times_ms.size() / 2];
  return result;
}

}  // namespace workbook
