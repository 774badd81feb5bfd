// SPDX-License-Identifier: MIT
// What the benchmark asks of a device: a clock, a clean cache, the speed of a copy, the time of a launch, and what it
// is.
#pragma once

#include <cstddef>
#include <vector>

#include "workbook/bench/measure.h"
#include "workbook/case/device_memory.h"

namespace workbook {

/// What times depend on beside the device's name.
struct DeviceFacts {
  std::size_t l2_bytes = 0;
  int compute_capability = 0;  ///< 90 for 9.0
  /// Multiply-adds of floats that all multiprocessors can begin in a cycle (CUDA C++ Programming Guide, "Throughput of
  /// native arithmetic instructions"); 0 where this program does not know.
  int fp32_lanes = 0;
  std::vector<int>
      compiled_for;  ///< compute capabilities, likewise; where the device's is not among them, the driver compiles
};
DeviceFacts device_facts();

/// CUDA events in the default stream, reading twice as much memory as the L2 cache holds, and a kernel that counts the
/// cycles of a tenth of a millisecond.
class DeviceInstruments {
 public:
  explicit DeviceInstruments(std::size_t l2_bytes);
  Instruments instruments();

 private:
  DeviceArray<float> unchanged_;
  DeviceArray<float> sink_;
  DeviceArray<double> clock_;
};

struct CopySpeed {
  std::size_t bytes = 0;  ///< of the buffer that was copied
  double gb_s = 0.0;      ///< 10^9 bytes a second, read and written bytes together
};

/// cudaMemcpy from device to device, the median of several: the ceiling that other speeds are compared with. 4 GiB, or
/// a third of the free memory where that is less.
CopySpeed copy_speed(const Instruments& instruments, std::size_t free_bytes);

/// What a launch takes whose kernel does nothing, in microseconds, where one follows another: the floor under all other
/// times. The median of several samples of many.
double empty_launch_us(const Instruments& instruments);

}  // namespace workbook
