// SPDX-License-Identifier: MIT
// The device functions of a benchmark: a clock, a clean cache, copy speed, launch time, and device facts.
#pragma once

#include <cstddef>
#include <vector>

#include "workbook/bench/measure.h"
#include "workbook/case/device_memory.h"

namespace workbook {

/// Facts that times depend on, beside the device's name.
struct DeviceFacts {
  std::size_t l2_bytes = 0;
  int compute_capability = 0;  ///< 90 for 9.0.
  /// Multiply-adds of floats that all multiprocessors can begin in a cycle. Source: CUDA C++ Programming Guide,
  /// "Throughput of native arithmetic instructions". 0 where this program does not know.
  int fp32_lanes = 0;
  std::vector<int>
      compiled_for;  ///< Compute capabilities, likewise. If the device's is not among them, the driver compiles.
};
DeviceFacts device_facts();

/// The instruments of a CUDA device. Time comes from CUDA events in the default stream. The cache is cleaned by reads
/// of twice as much memory as the L2 cache holds. A kernel counts the cycles of a millisecond.
class DeviceInstruments {
 public:
  explicit DeviceInstruments(std::size_t l2_bytes);
  Instruments instruments();

 private:
  DeviceArray<float> unchanged_;
  DeviceArray<float> sink_;
  DeviceArray<double> clock_;
};

/// The bandwidth of a device-to-device copy.
struct CopySpeed {
  std::size_t bytes = 0;  ///< The size of the copied buffer.
  double gb_s = 0.0;      ///< 10^9 bytes a second, read and written bytes together.
};

/// The speed of cudaMemcpy from device to device, the median of several: the ceiling for other speeds. The buffer has 4
/// GiB, or a third of the free memory where that is less.
CopySpeed copy_speed(const Instruments& instruments, std::size_t free_bytes);

/// The time of a launch with an empty kernel, in microseconds, where one launch follows another: the minimum for all
/// other times. It is the median of several samples of many launches.
double empty_launch_us(const Instruments& instruments);

}  // namespace workbook
