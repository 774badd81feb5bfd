// SPDX-License-Identifier: MIT
// CUDA events in pairs, one pair for each interval.
#include "workbook/gpu_timer.h"

#include "workbook/cuda_check.h"

namespace workbook {

GpuTimer::~GpuTimer() {
  // After a failed kernel even these calls fail; the failure has been reported where it happened.
  for (const Interval& interval : intervals_) {
    if (interval.begin != nullptr) cudaEventDestroy(interval.begin);
    if (interval.end != nullptr) cudaEventDestroy(interval.end);
  }
}

void GpuTimer::start() {
  if (running_) throw TimerMisuse("timer.start() was called twice without timer.stop() in between");
  running_ = true;  // before the first event: what fails half-way is no finished interval
  Interval& interval = intervals_.emplace_back();
  CUDA_CHECK(cudaEventCreate(&interval.begin));
  CUDA_CHECK(cudaEventCreate(&interval.end));
  CUDA_CHECK(cudaEventRecord(interval.begin));
}

void GpuTimer::stop() {
  if (!running_) throw TimerMisuse("timer.stop() was called without timer.start() before it");
  CUDA_CHECK(cudaEventRecord(intervals_.back().end));
  running_ = false;
}

float GpuTimer::elapsed_ms() const {
  if (running_) throw TimerMisuse("timer.start() was called, but timer.stop() was not");
  if (intervals_.empty()) throw TimerMisuse("no kernel was timed: timer.start() and timer.stop() were never called");
  CUDA_CHECK(cudaEventSynchronize(intervals_.back().end));
  float sum_ms = 0.0f;
  for (const Interval& interval : intervals_) {
    float interval_ms = 0.0f;
    CUDA_CHECK(cudaEventElapsedTime(&interval_ms, interval.begin, interval.end));
    sum_ms += interval_ms;
  }
  return sum_ms;
}

}  // namespace workbook
