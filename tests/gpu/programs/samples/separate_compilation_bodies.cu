// SPDX-License-Identifier: MIT
// The other half of separate_compilation.cu.
#include "helper_cuda.h"
#include "separate_compilation.h"

__constant__ float softening = 0.25f;
__device__ Body bodies[kBodies];
__device__ Force chosen_force = attraction;

// It has the same name as one in the other file, and is another function.
static __device__ __noinline__ float scaled(float x) { return x * 0.5f; }
static __device__ int calls = 0;

__device__ float attraction(float distance_squared, float mass) { return mass / (distance_squared + softening); }

static __global__ void place() {
  const unsigned t = threadIdx.x;
  bodies[t] = {scaled(static_cast<float>(t)), scaled(static_cast<float>(t % 7)), 1.0f + static_cast<float>(t % 3)};
  if (t == 0 && ++calls > 100) printf("never seen here\n");
}

__global__ void add_masses(float* sum) {
  const float all = block_sum(bodies[threadIdx.x].mass);
  if (threadIdx.x == 0) *sum = all;
}

void place_bodies() {
  place<<<1, kBodies>>>();
  checkCudaErrors(cudaGetLastError());
}

float total_mass() {
  float* sum = nullptr;
  checkCudaErrors(cudaMalloc(&sum, sizeof *sum));
  add_masses<<<1, kBodies>>>(sum);
  float result = 0;
  checkCudaErrors(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaFree(sum));
  return result;
}
