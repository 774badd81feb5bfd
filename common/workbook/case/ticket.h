// SPDX-License-Identifier: MIT
// Tickets: counters on the device that tell a block whether it is the last block of a launch to finish.
#pragma once

#include <string>
#include <vector>

#include "workbook/case/device_memory.h"

namespace workbook {

/// Tickets: counters for the computations in a stream, all 0 at first. A computation that draws tickets must leave them
/// at 0.
class Tickets {
 public:
  explicit Tickets(std::size_t count, cudaStream_t stream = nullptr) : numbers_(count), stream_(stream) {
    numbers_.fill(0, stream);
  }
  unsigned* data() const { return numbers_.data(); }

  /// Reports counters that a computation left wrong; empty where all are 0. Waits for the stream.
  std::string mistake() const {
    std::vector<unsigned> left(numbers_.size());
    if (left.empty()) return "";
    cudaError_t copied = cudaMemcpyAsync(left.data(), data(), numbers_.size_bytes(), cudaMemcpyDeviceToHost, stream_);
    if (copied == cudaSuccess) copied = cudaStreamSynchronize(stream_);
    check_cuda(copied, "copying a result to the host", __FILE__, __LINE__);
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == 0) continue;
      return (left.size() == 1 ? "the ticket" : "ticket " + std::to_string(i)) + " is " + std::to_string(left[i]) +
             " after the computation, and must be 0, or the next one finds no last block. Does one thread of each "
             "block take one ticket? Does the block with the last ticket detect it? Does that block set the ticket "
             "back to 0?";
    }
    return "";
  }

 private:
  DeviceArray<unsigned> numbers_;
  cudaStream_t stream_;
};

/// One counter.
class Ticket : public Tickets {
 public:
  explicit Ticket(cudaStream_t stream = nullptr) : Tickets(1, stream) {}
};

}  // namespace workbook
