// SPDX-License-Identifier: MIT
// The host side of the planted programs: device memory that frees itself, and how a program ends. Everything that the
// checkers look at, the kernel and its launch, is in the program's own file.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

/// Ends the program with status 3 when the preparation fails: then it proves nothing.
inline void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cannot prepare: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

struct Unwritten {};

/// `count` elements of device memory: zeros, or {0, 1, 2, ...} % `period`, or what the memory held before.
template <typename T>
class DeviceArray {
 public:
  DeviceArray(std::size_t count, Unwritten) : count_(count) { must(cudaMalloc(&data_, bytes())); }
  explicit DeviceArray(std::size_t count) : DeviceArray(count, Unwritten{}) { must(cudaMemset(data_, 0, bytes())); }
  DeviceArray(std::size_t count, int period) : DeviceArray(count, Unwritten{}) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(static_cast<int>(i) % period);
    must(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  operator T*() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  /// What the program computed reaches the host, as in any program.
  cudaError_t copy_back() const {
    std::vector<T> values(count_);
    return cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost);
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// Waits for the kernels and copies the results to the host. The program's status: 0, or 1 after an error of CUDA.
template <typename... Result>
int finish(const Result&... results) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  for (cudaError_t copied : {error, (error == cudaSuccess ? results.copy_back() : error)...}) {
    if (error == cudaSuccess) error = copied;
  }
  if (error == cudaSuccess) return 0;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  return 1;
}

/// Programs whose bug would hang a GPU begin with this: there they end with status 77 and have done nothing.
inline void only_on_the_simulator() {
  cudaDeviceProp properties;
  must(cudaGetDeviceProperties(&properties, 0));
  if (std::strncmp(properties.name, "Simulated", 9) == 0) return;
  std::fprintf(stderr, "not started: a GPU would not end\n");
  std::exit(77);
}
