// SPDX-License-Identifier: MIT
// What the programs of this folder share: buffers, inputs that are the same everywhere, a comparison.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../samples/helper_cuda.h"

/// Device memory of n elements, or with the contents of a vector.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t n) : size_(n) { checkCudaErrors(cudaMalloc(&data_, n * sizeof(T))); }
  explicit Buffer(const std::vector<T>& from) : Buffer(from.size()) {
    checkCudaErrors(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  operator T*() const { return data_; }
  void clear() { checkCudaErrors(cudaMemset(data_, 0, size_ * sizeof(T))); }
  /// Waits for what was launched.
  std::vector<T> host() const {
    checkCudaErrors(cudaGetLastError());
    std::vector<T> result(size_);
    checkCudaErrors(cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// A number that looks random, of i.
__host__ __device__ inline unsigned scramble(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return i ^ (i >> 16);
}
/// In [0, 1).
__host__ __device__ inline float uniform(unsigned i) { return static_cast<float>(scramble(i) >> 8) / 16777216.0f; }

inline std::vector<float> uniform_vector(std::size_t n, unsigned seed = 0) {
  std::vector<float> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = uniform(seed + static_cast<unsigned>(i));
  return result;
}

/// False for NaN.
inline bool close(double got, double expected, double tolerance) {
  return std::fabs(got - expected) <= tolerance * std::fmax(1.0, std::fabs(expected));
}
template <class T, class U>
bool all_close(const std::vector<T>& got, const std::vector<U>& expected, double tolerance) {
  bool result = got.size() == expected.size();
  for (std::size_t i = 0; result && i < got.size(); ++i) result = close(got[i], expected[i], tolerance);
  return result;
}

constexpr int blocks_for(int n, int block) { return (n + block - 1) / block; }
