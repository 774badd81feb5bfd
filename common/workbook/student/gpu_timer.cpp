// SPDX-License-Identifier: MIT
// CUDA events in pairs, one pair for each interval.
#include "workbook/student/gpu_timer.h"

#include <vector>

#include "workbook/student/cuda_check.h"

namespace workbook {

struct GpuTimer::Intervals {
  struct Interval {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
  };
  std::vector<Interval> list;
  bool running = false;
  const char* misuse = nullptr;  // the first
};

GpuTimer::GpuTimer() : intervals_(new Intervals) {}

GpuTimer::~GpuTimer() {
  // After a failed kernel even these calls fail. The failed call itself has reported the error.
  for (const Intervals::Interval& interval : intervals_->list) {
    if (interval.begin != nullptr) cudaEventDestroy(interval.begin);
    if (interval.end != nullptr) cudaEventDestroy(interval.end);
  }
  delete intervals_;
}

bool GpuTimer::is_running() const { return intervals_->running; }

bool GpuTimer::was_used() const { return !intervals_->list.empty() || intervals_->misuse != nullptr; }

std::size_t GpuTimer::interval_count() const { return intervals_->list.size() - (is_running() ? 1 : 0); }

void GpuTimer::note(const char* misuse) {
  if (intervals_->misuse == nullptr) intervals_->misuse = misuse;
}

void GpuTimer::start() {
  if (is_running()) return note("timer.start() was called twice without timer.stop() in between");
  intervals_->running =
      true;  // before the first event, so that a failure between the events leaves no finished interval
  Intervals::Interval& interval = intervals_->list.emplace_back();
  CUDA_CHECK(cudaEventCreate(&interval.begin));
  CUDA_CHECK(cudaEventCreate(&interval.end));
  CUDA_CHECK(cudaEventRecord(interval.begin));
}

void GpuTimer::stop() {
  if (!is_running()) return note("timer.stop() was called without timer.start() before it");
  CUDA_CHECK(cudaEventRecord(intervals_->list.back().end));
  intervals_->running = false;
}

float GpuTimer::elapsed_ms() const {
  if (intervals_->misuse != nullptr) throw TimerMisuse(intervals_->misuse);
  if (is_running()) throw TimerMisuse("timer.start() was called, but timer.stop() was not");
  const std::vector<Intervals::Interval>& list = intervals_->list;
  if (list.empty()) throw TimerMisuse("no kernel was timed: timer.start() and timer.stop() were never called");
  CUDA_CHECK(cudaEventSynchronize(list.back().end));
  float sum_ms = 0.0f;
  for (const Intervals::Interval& interval : list) {
    float interval_ms = 0.0f;
    CUDA_CHECK(cudaEventElapsedTime(&interval_ms, interval.begin, interval.end));
    sum_ms += interval_ms;
  }
  return sum_ms;
}

}  // namespace workbook
