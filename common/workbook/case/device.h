// SPDX-License-Identifier: MIT
// The device that this program runs on, a GPU or a simulated one. Its name is all that tells them apart here.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace workbook {

struct Device {
  std::string name;
  bool is_simulated = false;    ///< its times are the host clock's, and never called GPU time
  std::size_t free_bytes = 0;   ///< device memory, now
  std::size_t total_bytes = 0;  ///< device memory, at most
};

/// There is no device to run on. what() says why in CUDA's words, and what to type next.
class NoDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something failed on the device during a student's call, and no CUDA_CHECK in that call saw it.
class UncheckedFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A simulated device's name begins with "Simulated".
bool is_simulated_name(std::string_view device_name);

/// The device that CUDA calls current. Throws NoDevice, or CudaError when CUDA fails in another way.
Device current_device();

/// Why a program that needs this compute capability (90 for 9.0) cannot run on the current device: one line. Empty
/// where it can, where the program needs none (0), and where there is no device, which the program itself will find
/// out.
std::string too_old_for(int compute_capability);

/// Fills the device memory that the next call is likely to get with 0xFF bytes, a NaN in every float, and gives it
/// back. Memory that cudaMalloc returns often holds what the call before left there: without this, a kernel that never
/// wrote its sum could return the right one. `wanted_bytes`: about what the call will allocate.
/// Keep what is returned until the call is over: it is a small piece of the pages that hold allocations of up to about
/// 1 MiB. A page that nobody holds goes back to the driver and comes again as zeros (so do larger allocations, which
/// therefore never show an old sum; measured on an H200).
/// Does nothing on a simulated device, which fills what cudaMalloc returns with the same bytes (a test holds it to
/// that), and which counts allocations for its messages: the student's first must be the first. Throws CudaError.
[[nodiscard]] std::shared_ptr<void> poison_free_memory(const Device& device, double wanted_bytes);

/// Waits for the device and throws UncheckedFailure if it has failed, or if a call or launch has that nobody checked.
void check_device_after_call();

}  // namespace workbook
