// SPDX-License-Identifier: MIT
// Inputs of the ordinary kernels, and the program that launches them all, in a fixed order.
#include <cstdint>
#include <iostream>
#include <vector>

#include "ordinary.h"
#include "workbook/student/cuda_check.h"

namespace ordinary {
namespace {

std::uint32_t mixed(std::uint32_t i) {
  i = (i + 1) * 2654435761u;
  i = (i ^ (i >> 15)) * 2246822519u;
  i = (i ^ (i >> 13)) * 3266489917u;
  return i ^ (i >> 16);
}

/// `of(i)` for each i below `count`, on the GPU.
template <class T, class Of>
T* filled(unsigned count, Of of) {
  std::vector<T> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = of(i);
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(memory, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T*>(memory);
}

}  // namespace

float* floats(unsigned count) {
  return filled<float>(count, [](unsigned i) { return static_cast<float>(mixed(i) >> 8) / 16777216.0f; });
}
double* doubles(unsigned count) {
  return filled<double>(count, [](unsigned i) { return mixed(i) / 4294967296.0; });
}
unsigned* words(unsigned count, unsigned range) {
  return filled<unsigned>(count, [=](unsigned i) { return mixed(i) % range; });
}
unsigned char* bytes(unsigned count, unsigned range) {
  return filled<unsigned char>(count, [=](unsigned i) { return static_cast<unsigned char>(mixed(i) % range); });
}
unsigned* sorted(unsigned count) {
  return filled<unsigned>(count, [](unsigned i) { return 7 * i + mixed(i) % 7; });
}

void* zeroed(unsigned long count_bytes) {
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, count_bytes));
  CUDA_CHECK(cudaMemset(memory, 0, count_bytes));
  return memory;
}

void launched(const std::string& name) {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::cout << name << '\n';
}

}  // namespace ordinary

int main() {
  ordinary::matrices();
  ordinary::sums();
  ordinary::searches();
  ordinary::sorts();
  ordinary::stencils();
  ordinary::images();
  ordinary::layouts();
  ordinary::local_array();
  ordinary::numerics();
  ordinary::later();
}
