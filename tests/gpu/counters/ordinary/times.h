// SPDX-License-Identifier: MIT
// The time of an ordinary kernel on a GPU, with warm and with cold caches.
#pragma once

#include <functional>
#include <string>

#include "workbook/bench/bench_device.h"

namespace ordinary {

/// Measures with CUDA events. Each figure is that of one launch, in microseconds.
/// - warm: launches follow each other over the same memory, for a millisecond. The caches hold what the launch before
///   left. A kernel with a `before` is launched once a sample, behind it.
/// - cold: reads of twice the L2 cache come first, so the cache has clean lines of other memory. Then one launch.
class Stopwatch {
 public:
  Stopwatch();
  /// A JSON object: {"warm_us": [q1, median, q3], "cold_us": [...], "clock_mhz": x}.
  std::string measure(const std::function<void()>& kernel, const std::function<void()>& before);
  /// The same for a kernel that does nothing.
  std::string of_nothing();

 private:
  static double once_us(const std::function<void()>& kernel, const std::function<void()>& first);

  workbook::DeviceInstruments device_;
  workbook::Instruments instruments_;
};

}  // namespace ordinary
