// SPDX-License-Identifier: MIT
// A stopwatch for kernels, made of CUDA events: it measures on the device, so neither the launch call nor a copy before
// or after it counts. On a simulated device the events carry the host's clock, and the report says so.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <exception>

namespace workbook {

/// The stopwatch was used in the wrong order: stop() without start(), start() twice, or read while it runs.
class TimerMisuse : public std::exception {
 public:
  explicit TimerMisuse(const char* literal) : what_(literal) {}
  const char* what() const noexcept override { return what_; }

 private:
  const char* what_;
};

/// Adds up the device time between each start() and the stop() that follows it, on the default stream.
///
///     timer.start();
///     kernel<<<blocks, threads>>>(...);
///     CUDA_CHECK(cudaGetLastError());
///     timer.stop();
///
/// Owns its events, and makes them at the first start(). Neither copied nor moved: it is passed by reference.
/// Every function but the destructor throws CudaError when CUDA does, and TimerMisuse where stated.
class GpuTimer {
 public:
  GpuTimer();
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;

  void start();
  void stop();  ///< Does not wait for the device.

  bool is_running() const;
  bool was_used() const;               ///< rightly or not
  std::size_t interval_count() const;  ///< finished start/stop pairs

  /// The sum of all intervals, in milliseconds. Waits until the device has reached the last stop().
  /// Throws TimerMisuse while the stopwatch runs, when it never ran, and when start() was called twice or stop()
  /// without start(): not these, so that the code that is timed comes to its end, and frees what it has allocated.
  float elapsed_ms() const;

 private:
  void note(const char* misuse);

  struct Intervals;  // in the .cpp file: this header is a student's
  Intervals* intervals_;
};

}  // namespace workbook
