// SPDX-License-Identifier: MIT
// What the programs that call CUB share: vectors on the device, and the two calls that each algorithm takes (how much
// storage, then the work). Also the input, and the sizes: around those of warps, blocks and tiles.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "../samples/helper_cuda.h"

/// The sizes up to the program's argument, by default all of them.
inline std::vector<int> sizes(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  std::vector<int> chosen;
  for (const int n : {0, 1, 31, 1000, (1 << 16) + 7, 1 << 20}) {
    if (n <= largest) chosen.push_back(n);
  }
  return chosen;
}

template <typename T>
struct DeviceVector {
  explicit DeviceVector(std::size_t n) : size(n) { checkCudaErrors(cudaMalloc(&data, n * sizeof(T))); }
  explicit DeviceVector(const std::vector<T>& values) : DeviceVector(values.size()) {
    checkCudaErrors(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceVector() { cudaFree(data); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;

  /// The first `count` values.
  std::vector<T> host(std::size_t count) const {
    std::vector<T> values(count);
    checkCudaErrors(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  std::vector<T> host() const { return host(size); }

  T* data = nullptr;
  std::size_t size;
};

template <typename Algorithm>
void with_storage(Algorithm algorithm) {
  std::size_t bytes = 0;
  checkCudaErrors(algorithm(nullptr, bytes));
  DeviceVector<char> storage(bytes);
  checkCudaErrors(algorithm(storage.data, bytes));
  checkCudaErrors(cudaDeviceSynchronize());
}

inline std::vector<int> random_values(int n, int low, int high) {
  std::mt19937 engine(static_cast<unsigned>(n));
  std::vector<int> values(n);
  for (int& value : values) value = low + static_cast<int>(engine() % static_cast<unsigned>(high - low + 1));
  return values;
}

inline bool check(const char* what, int n, bool passed) {
  if (!passed) std::printf("%s of %d values is wrong\n", what, n);
  return passed;
}
