// SPDX-License-Identifier: MIT
// The seven host steps of stage 01, for stages that define reduce_on_device() alone.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "workbook/device_memory.h"
#include "workbook/reduction.h"
#include "workbook/ticket.h"

namespace workbook {

using ReduceOnDevice = const float* (*)(float* numbers, std::size_t n, unsigned block_size, const Workspace& workspace);

/// The memory of a Workspace for n numbers, its ticket at 0.
class WorkspaceMemory {
 public:
  WorkspaceMemory(std::size_t n, unsigned block_size)
      : partial_sums_((n + block_size - 1) / block_size), next_partial_sums_(partial_sums_.size()) {}
  Workspace on(cudaStream_t stream) const {
    return {partial_sums_.data(), next_partial_sums_.data(), ticket_.data(), stream};
  }
  const Ticket& ticket() const { return ticket_; }
  /// Makes all partial sums NaN: what a reduction before has left there must not pass for the next one's sum.
  void forget() {
    partial_sums_.fill(0xFF);
    next_partial_sums_.fill(0xFF);
  }

 private:
  DeviceArray<float> partial_sums_;
  DeviceArray<float> next_partial_sums_;
  Ticket ticket_;
};

/// What a call came to. A reduce() returns a float alone, from which this is made.
struct Reduced {
  Reduced(float returned_sum, std::string what_is_wrong = "") : sum(returned_sum), mistake(std::move(what_is_wrong)) {}
  float sum;
  std::string mistake;  ///< that makes the call wrong whatever its sum; empty: none
};

/// The sum of n floats of host memory, computed by `reduce_on_device` in the default stream. On the device the numbers
/// begin `misalign` floats behind an address that is a multiple of 256 bytes; what lies before them is NaN, and right
/// behind them the allocation ends. A ticket that is not 0 afterwards is a mistake. Throws what `reduce_on_device`
/// throws, and CudaError.
Reduced reduce_with_host_steps(ReduceOnDevice reduce_on_device, const float* input, std::size_t n, unsigned block_size,
                               std::size_t misalign, GpuTimer& timer);

}  // namespace workbook
