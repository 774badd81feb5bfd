// SPDX-License-Identifier: MIT
// Pages that are mapped and never written all share one page of zeros.
#include "workbook/problem/searches/binary_search/sparse_table.h"

#include <sys/mman.h>

#include <cstring>

namespace workbook {

SparseTable::SparseTable(std::size_t zeros, const std::vector<std::uint32_t>& words, const Device& device)
    : zeros_(zeros),
      host_bytes_(device.is_simulated ? (zeros + words.size()) * sizeof(std::uint32_t) : 0),
      memory_(device.is_simulated ? 0 : zeros + words.size()) {
  const std::size_t bytes = words.size() * sizeof(std::uint32_t);
  if (!device.is_simulated) {
    memory_.fill(0);
    data_ = memory_.data();
    if (bytes > 0) CUDA_CHECK(cudaMemcpy(data_ + zeros, words.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaDeviceSynchronize());  // for any stream that uses the table
    return;
  }
  void* const mapped =
      mmap(nullptr, host_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) check_cuda(cudaErrorMemoryAllocation, "mapping a table of zeros", __FILE__, __LINE__);
  host_ = mapped;
  std::memcpy(static_cast<std::uint32_t*>(host_) + zeros, words.data(), bytes);
  void* seen_by_device = nullptr;
  cudaError_t registered = cudaHostRegister(host_, host_bytes_, cudaHostRegisterMapped);
  if (registered == cudaSuccess) registered = cudaHostGetDevicePointer(&seen_by_device, host_, 0);
  if (registered != cudaSuccess) munmap(host_, host_bytes_);
  check_cuda(registered, "showing a table of zeros to the device", __FILE__, __LINE__);
  data_ = static_cast<std::uint32_t*>(seen_by_device);
}

SparseTable::~SparseTable() {
  if (host_ == nullptr) return;
  cudaHostUnregister(host_);
  munmap(host_, host_bytes_);
}

bool SparseTable::is_unchanged(const std::vector<std::uint32_t>& words) const {
  return read_back(data_ + zeros_, words.size(), nullptr) == words;
}

}  // namespace workbook
