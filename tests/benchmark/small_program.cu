// SPDX-License-Identifier: MIT
// A program that does next to nothing, the way a first CUDA program does it: its time is the simulator's start-up.
#include <vector>

#include "workbook/student/cuda_check.h"

namespace {

__global__ void add_one(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += 1;
}

}  // namespace

int main() {
  std::vector<int> values(1000, 41);
  int* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, values.size() * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  add_one<<<4, 256>>>(device, static_cast<int>(values.size()));
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(values.data(), device, values.size() * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
  for (const int value : values) {
    if (value != 42) return 1;
  }
  return 0;
}
