// SPDX-License-Identifier: MIT
// The order of a run: poison, call, wait, check.
#include "workbook/run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

namespace workbook {
namespace {

struct Call {
  float sum = 0.0f;
  double time_ms = 0.0;
  Verdict verdict;
};

void refuse(Verdict& verdict, const std::string& reason) {
  verdict.matches = false;
  verdict.reason = reason;
}

// Bits, not values: a NaN in the input equals itself.
bool is_unchanged(const std::vector<float>& now, const std::vector<float>& before) {
  return before.empty() || std::memcmp(now.data(), before.data(), before.size() * sizeof(float)) == 0;
}

std::string changed_input(const std::vector<float>& now, const std::vector<float>& before) {
  std::size_t i = 0;
  while (std::memcmp(&now[i], &before[i], sizeof(float)) == 0) ++i;
  return "the input in host memory was changed, first at element " + std::to_string(i) +
         "; copy it to the device and work on the copy";
}

Call one_call(const ReductionCase& reduction_case, std::vector<float>& input, ReduceFunction reduce,
              unsigned block_size, const Device& device) {
  const auto poisoned_pages = poison_free_memory(device, input.size());
  Call call;
  GpuTimer timer;
  std::string misuse;
  try {
    call.sum = reduce(input.data(), input.size(), block_size, timer);
    check_device_after_call();
    if (timer.interval_count() > 0 || timer.is_running() || !input.empty()) call.time_ms = timer.elapsed_ms();
  } catch (const TimerMisuse& error) {
    misuse = error.what();
  }
  call.verdict = check_sum(call.sum, reduction_case.reference);
  if (!misuse.empty()) {
    refuse(call.verdict, misuse + "; call start() before the first launch and stop() after the last");
  } else if (!is_unchanged(input, reduction_case.values)) {
    refuse(call.verdict, changed_input(input, reduction_case.values));
  }
  return call;
}

}  // namespace

ReductionCase make_case(Distribution distribution, std::size_t n, std::uint32_t seed) {
  ReductionCase reduction_case;
  reduction_case.distribution = distribution;
  reduction_case.seed = seed;
  reduction_case.values = make_input(distribution, n, seed);
  const auto begin = std::chrono::steady_clock::now();
  reduction_case.reference = reference_sum(reduction_case.values.data(), n);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  reduction_case.cpu_time_ms = taken.count();
  return reduction_case;
}

RunResult run_case(const ReductionCase& reduction_case, ReduceFunction reduce, unsigned block_size,
                   const Device& device, int repeat) {
  constexpr int kCallsOnGpu = 5;
  RunResult result;
  result.device = device;
  result.distribution = reduction_case.distribution;
  result.size = reduction_case.values.size();
  result.seed = reduction_case.seed;
  result.block_size = block_size;
  result.reference = reduction_case.reference;
  result.cpu_time_ms = reduction_case.cpu_time_ms;

  const int timed_calls = repeat > 0 ? repeat : (device.is_simulated ? 1 : kCallsOnGpu);
  const int warm_up_calls = device.is_simulated ? 0 : 1;
  std::vector<float> input = reduction_case.values;
  std::vector<double> times_ms;
  for (int i = 0; i < warm_up_calls + timed_calls; ++i) {
    const Call call = one_call(reduction_case, input, reduce, block_size, device);
    result.gpu_sum = call.sum;
    result.verdict = call.verdict;
    if (i >= warm_up_calls || !call.verdict.matches) times_ms.push_back(call.time_ms);
    if (!call.verdict.matches) break;
  }
  std::sort(times_ms.begin(), times_ms.end());
  result.timed_calls = static_cast<int>(times_ms.size());
  result.time_ms = times_ms[times_ms.size() / 2];
  return result;
}

}  // namespace workbook
