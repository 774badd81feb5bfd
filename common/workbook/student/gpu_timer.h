// SPDX-License-Identifier: MIT
// A stopwatch for kernels, made of CUDA events. It measures on the device, so it counts neither the launch call nor a
// copy before or after it. On a simulated device the events use the host's clock, and the report says so.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <exception>

namespace workbook {

/// An error in the use of the stopwatch: stop() without start(), start() twice, or a read while it runs.
class TimerMisuse : public std::exception {
 public:
  explicit TimerMisuse(const char* literal) : what_(literal) {}
  const char* what() const noexcept override { return what_; }

 private:
  const char* what_;
};

/// A stopwatch (CUDA events). It adds up the device time between each start() and the stop() that follows it, on the
/// default stream.
///
///     timer.start();
///     kernel<<<blocks, threads>>>(...);
///     CUDA_CHECK(cudaGetLastError());
///     timer.stop();
///
/// Owns its events, and makes them at the first start(). It can be neither copied nor moved: pass it by reference.
/// Every function but the destructor throws CudaError when CUDA fails, and TimerMisuse where stated.
class GpuTimer {
 public:
  GpuTimer();
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;

  void start();
  void stop();  ///< Does not wait for the device.

  bool is_running() const;
  bool was_used() const;               ///< True for correct and for wrong use.
  std::size_t interval_count() const;  ///< The finished pairs of start() and stop().

  /// The sum of all intervals, in milliseconds. Waits until the device has reached the last stop(). Throws TimerMisuse
  /// while the stopwatch runs, when it never ran, and for every misuse of start() and stop(). Those two do not throw
  /// TimerMisuse, so that the timed code reaches its end and frees its memory.
  float elapsed_ms() const;

 private:
  void note(const char* misuse);

  struct Intervals;  // in the .cpp file, because students include this header
  Intervals* intervals_;
};

}  // namespace workbook
