// SPDX-License-Identifier: MIT
// The seven host steps of stage 01, for stages that define reduce_on_device() alone.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "workbook/device_memory.h"
#include "workbook/reduction.h"

namespace workbook {

using ReduceOnDevice = const float* (*)(float* numbers, std::size_t n, unsigned block_size, const Workspace& workspace);

/// The memory of a Workspace for n numbers, its ticket at 0.
class WorkspaceMemory {
 public:
  WorkspaceMemory(std::size_t n, unsigned block_size)
      : partial_sums_((n + block_size - 1) / block_size), next_partial_sums_(partial_sums_.size()), ticket_(1) {
    ticket_.fill(0);
  }
  Workspace on(cudaStream_t stream) const {
    return {partial_sums_.data(), next_partial_sums_.data(), ticket_.data(), stream};
  }
  /// Waits for the default stream.
  unsigned ticket() const {
    unsigned ticket = 0;
    CUDA_CHECK(cudaMemcpy(&ticket, ticket_.data(), sizeof ticket, cudaMemcpyDeviceToHost));
    return ticket;
  }

 private:
  DeviceArray<float> partial_sums_;
  DeviceArray<float> next_partial_sums_;
  DeviceArray<unsigned> ticket_;
};

/// A reduction has left the ticket at another number than 0: whatever its sum, that of the next one will be wrong.
class TicketNotReset : public std::runtime_error {
 public:
  TicketNotReset(unsigned ticket, float sum)
      : std::runtime_error("the ticket is " + std::to_string(ticket) +
                           " after the reduction; put it back to 0, or the next reduction has no last block"),
        sum_(sum) {}
  float sum() const { return sum_; }

 private:
  float sum_;
};

/// The sum of n floats of host memory, computed by `reduce_on_device` in the default stream. On the device the numbers
/// begin `misalign` floats behind an address that is a multiple of 256 bytes; what lies before them is NaN, and right
/// behind them the allocation ends. Throws what `reduce_on_device` throws, CudaError, and TicketNotReset.
float reduce_with_host_steps(ReduceOnDevice reduce_on_device, const float* input, std::size_t n, unsigned block_size,
                             std::size_t misalign, GpuTimer& timer);

}  // namespace workbook
