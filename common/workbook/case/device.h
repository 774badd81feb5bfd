// SPDX-License-Identifier: MIT
// The device of this program: a GPU or a simulated one. This code tells them apart by the name alone.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace workbook {

/// The properties of the current device.
struct Device {
  std::string name;
  bool is_simulated = false;    ///< Its times come from the host clock; no report calls them GPU time.
  std::size_t free_bytes = 0;   ///< Free device memory at this moment.
  std::size_t total_bytes = 0;  ///< Total device memory.
};

/// The exception where no device can run the program. what() gives CUDA's reason, and the next command to type.
class NoDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The exception where the device failed during a student's call, and no CUDA_CHECK in that call found it.
class UncheckedFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A simulated device's name begins with "Simulated".
bool is_simulated_name(std::string_view device_name);

/// The device that CUDA calls current. Throws NoDevice, or CudaError when CUDA fails in another way.
Device current_device();

/// Why the current device cannot run a program that needs this compute capability (90 for 9.0), in one line. The result
/// is empty where the device can, where the program needs none (0), and where there is no device. The program itself
/// reports a missing device.
std::string too_old_for(int compute_capability);

/// Fills the device memory that the next call is likely to get with 0xFF bytes, and frees it. A float of such bytes is
/// a NaN. Memory from cudaMalloc often holds the data of an earlier call. Without the fill, a kernel that never writes
/// its sum could return the right one. `wanted_bytes`: about what the call allocates.
/// Keep the return value until the call ends. It is a small piece of the pages for allocations of up to about 1 MiB.
/// The driver takes back a page without allocations, and returns it later as zeros. Larger allocations also come back
/// as zeros, so they never show an old sum (measured on an H200).
/// Does nothing on a simulated device, because its cudaMalloc fills memory with the same bytes; a test checks this. The
/// simulator also counts allocations for its messages: the student's first must be the first. Throws CudaError.
[[nodiscard]] std::shared_ptr<void> poison_free_memory(const Device& device, double wanted_bytes);

/// Waits for the device. Throws UncheckedFailure if the device failed, or if a call or launch failed and nothing
/// checked it.
void check_device_after_call();

}  // namespace workbook
