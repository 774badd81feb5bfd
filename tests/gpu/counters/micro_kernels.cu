// SPDX-License-Identifier: MIT
// Runs every case once, in a fixed order, and prints a case's name for each launch. Then scripts/compare_gpu counts the
// launches on the simulator and under Nsight Compute, and puts the names beside them.
#include <iostream>

#include "micro_kernels.h"
#include "workbook/student/cuda_check.h"

namespace micro {
namespace {

void* zeroed() {
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, buffer_bytes));
  CUDA_CHECK(cudaMemset(memory, 0, buffer_bytes));
  return memory;
}

}  // namespace

void* input() {
  static void* const memory = zeroed();
  return memory;
}

void* output() {
  static void* const memory = zeroed();
  return memory;
}

void launched(const std::string& name) {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::cout << name << '\n';
}

}  // namespace micro

int main() {
  micro::global_cases();
  micro::shared_cases();
  micro::other_cases();
  micro::matrix_cases();
}
