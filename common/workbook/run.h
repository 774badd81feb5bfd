// SPDX-License-Identifier: MIT
// One run of a student's reduce(): input and reference, poisoned memory, the call, and every check on what came back.
// Returns values or throws; report.h makes text of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workbook/check.h"
#include "workbook/device.h"
#include "workbook/gpu_timer.h"
#include "workbook/input.h"
#include "workbook/reference.h"

namespace workbook {

using ReduceFunction = float (*)(const float* input, std::size_t n, unsigned block_size, GpuTimer& timer);

/// An input with its reference: made once, run with several block sizes.
struct ReductionCase {
  Distribution distribution = Distribution::uniform;
  std::uint32_t seed = kDefaultSeed;
  std::vector<float> values;
  Reference reference;
  double cpu_time_ms = 0.0;  ///< what the reference took: one core, double precision with compensation
};

ReductionCase make_case(Distribution distribution, std::size_t n, std::uint32_t seed);

struct RunResult {
  Device device;
  Distribution distribution = Distribution::uniform;
  std::size_t size = 0;
  std::uint32_t seed = 0;
  unsigned block_size = 0;
  float gpu_sum = 0.0f;
  Reference reference;
  Verdict verdict;
  double cpu_time_ms = 0.0;
  double time_ms = 0.0;  ///< the median of the calls that were timed; of the host's clock on a simulated device
  int timed_calls = 0;
};

/// Calls `reduce` on a copy of the case's values and judges each call. Matches only if, in every call, the sum matches,
/// the copy is unchanged, and at least one interval was timed (unless there was nothing to sum).
/// `repeat`: how many calls are timed; 0 chooses 1 on a simulated device and 5 on a GPU. On a GPU one more call goes
/// before them, checked but not timed, so that loading the kernel is not measured. Stops at the first call that fails.
/// Throws CudaError or UncheckedFailure, and lets through what `reduce` throws (Unsolved among it) except TimerMisuse,
/// which makes a verdict.
RunResult run_case(const ReductionCase& reduction_case, ReduceFunction reduce, unsigned block_size,
                   const Device& device, int repeat = 0);

}  // namespace workbook
