// SPDX-License-Identifier: MIT
// What the parts of cudart_test.cu share: kernels, variables and the fixture.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace {

__global__ void add_one(int* data, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] += 1;
}

__global__ void __launch_bounds__(64) at_most_64(int* data) { data[threadIdx.x] = 1; }

__global__ void use_shared(int* out) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[256];
  dynamic[threadIdx.x] = static_cast<int>(threadIdx.x);
  fixed[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = dynamic[1] + fixed[2];
}

struct Mixed {
  char c;
  double d;
};
__global__ void take_mixed(char a, short b, Mixed m, const float* f, double* out) { *out = a + b + m.c + m.d + *f; }

__global__ void come_in_order(int* order, int* tickets) { order[blockIdx.x] = atomicAdd(tickets, 1); }

__global__ void write_to(int* p) { *p = 1; }

__device__ int counter = 5;
__constant__ float coefficients[4] = {1, 2, 3, 4};
__managed__ int managed_value = 3;
__global__ void use_variables(float* out) {
  *out = static_cast<float>(atomicAdd(&counter, 10)) + coefficients[3];
  managed_value += 1;
}

/// Not a kernel.
void host_function() {}

class Cudart : public ::testing::Test {
 protected:
  void TearDown() override { cudaGetLastError(); }  // an error that one test left is not another's
};

struct DeviceInts {
  explicit DeviceInts(std::size_t n) { EXPECT_EQ(cudaMalloc(&p, n * sizeof(int)), cudaSuccess); }
  ~DeviceInts() { cudaFree(p); }
  int* p = nullptr;
};

}  // namespace
