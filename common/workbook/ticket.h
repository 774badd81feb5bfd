// SPDX-License-Identifier: MIT
// The number on the device by which the blocks of one launch find out which of them is the last to be done.
#pragma once

#include <string>

#include "workbook/device_memory.h"

namespace workbook {

/// 0 from the beginning, for computations in the stream. Each that draws tickets must leave it at 0.
class Ticket {
 public:
  explicit Ticket(cudaStream_t stream = nullptr) : number_(1), stream_(stream) { number_.fill(0, stream); }
  unsigned* data() const { return number_.data(); }

  /// What is wrong with the number that a computation has left; empty where it is 0. Waits for the stream.
  std::string mistake() const {
    const unsigned number = read_back(number_.data(), stream_);
    if (number == 0) return "";
    return "the ticket is " + std::to_string(number) +
           " after the computation, and must be 0, or the next one finds no last block. Does one thread of each block "
           "take one ticket, does the block with the last one know that it is the last, and does it put the ticket "
           "back?";
  }

 private:
  DeviceArray<unsigned> number_;
  cudaStream_t stream_;
};

}  // namespace workbook
