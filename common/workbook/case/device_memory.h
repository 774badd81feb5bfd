// SPDX-License-Identifier: MIT
// Device memory that is given back however a function ends. For the library: stages call cudaMalloc themselves.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "workbook/student/cuda_check.h"

namespace workbook {

/// `size` elements of device memory, unwritten. Moved, never copied.
template <typename T>
class DeviceArray {
 public:
  /// Throws CudaError when there is not enough memory. No elements: no allocation, and data() is null.
  explicit DeviceArray(std::size_t size) : size_(size) {
    void* memory = nullptr;
    if (size_ > 0) CUDA_CHECK(cudaMalloc(&memory, size_bytes()));
    data_ = static_cast<T*>(memory);
  }
  ~DeviceArray() {
    if (data_ != nullptr) cudaFree(data_);
  }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray& operator=(DeviceArray&&) = delete;

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }

  /// Sets every byte, in the stream.
  void fill(int byte, cudaStream_t stream = nullptr) {
    if (size_ > 0) CUDA_CHECK(cudaMemsetAsync(data_, byte, size_bytes(), stream));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// `count` values of device memory, once the stream's work is done. Throws CudaError.
template <typename T>
std::vector<T> read_back(const T* device_values, std::size_t count, cudaStream_t stream) {
  std::vector<T> values(count);
  cudaError_t copied = cudaMemcpyAsync(values.data(), device_values, count * sizeof(T), cudaMemcpyDeviceToHost, stream);
  if (copied == cudaSuccess) copied = cudaStreamSynchronize(stream);
  check_cuda(copied, "copying a result to the host", __FILE__, __LINE__);
  return values;
}
/// One value.
template <typename T>
T read_back(const T* device_value, cudaStream_t stream = nullptr) {
  return read_back(device_value, 1, stream)[0];
}

}  // namespace workbook
