// SPDX-License-Identifier: MIT
// A sparse table: many zeros, and some words behind them, in little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workbook/case/device.h"
#include "workbook/case/device_memory.h"

namespace workbook {

/// A sparse table of `zeros` words that are 0, then `words`. On a GPU all of it is device memory. For a simulated
/// device it is host memory that the device may read, where unwritten pages take no space. So a test of an index above
/// 2^31 does not need 8 GB. Every function throws CudaError.
class SparseTable {
 public:
  SparseTable(std::size_t zeros, const std::vector<std::uint32_t>& words, const Device& device);
  ~SparseTable();
  SparseTable(const SparseTable&) = delete;
  SparseTable& operator=(const SparseTable&) = delete;

  const std::uint32_t* data() const { return data_; }
  /// Whether the words are unchanged.
  bool is_unchanged(const std::vector<std::uint32_t>& words) const;

 private:
  std::size_t zeros_;
  std::size_t host_bytes_;  // 0 on a GPU
  void* host_ = nullptr;
  DeviceArray<std::uint32_t> memory_;  // empty for a simulated device
  std::uint32_t* data_ = nullptr;
};

}  // namespace workbook
