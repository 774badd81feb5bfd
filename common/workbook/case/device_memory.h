// SPDX-License-Identifier: MIT
// DeviceArray: device memory with an owner (RAII). It is for the library; stages call cudaMalloc themselves.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "workbook/student/cuda_check.h"

namespace workbook {

/// An owning array of `size` elements in device memory, unwritten. It can be moved, but not copied.
template <typename T>
class DeviceArray {
 public:
  /// Throws CudaError when memory is short. With 0 elements it allocates nothing, and data() is null.
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

/// Copies `count` values from device memory, after the stream's work ends. Throws CudaError.
template <typename T>
std::vector<T> read_back(const T* device_values, std::size_t count, cudaStream_t stream) {
  std::vector<T> values(count);
  cudaError_t copied = cudaMemcpyAsync(values.data(), device_values, count * sizeof(T), cudaMemcpyDeviceToHost, stream);
  if (copied == cudaSuccess) copied = cudaStreamSynchronize(stream);
  check_cuda(copied, "copying a result to the host", __FILE__, __LINE__);
  return values;
}
/// Copies one value.
template <typename T>
T read_back(const T* device_value, cudaStream_t stream = nullptr) {
  return read_back(device_value, 1, stream)[0];
}

}  // namespace workbook
