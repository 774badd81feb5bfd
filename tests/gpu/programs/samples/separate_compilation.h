// SPDX-License-Identifier: MIT
// Bodies that attract each other, in two files that are compiled apart: what each of them uses of the other.
#pragma once

constexpr int kBodies = 96;

struct Body {
  float x, y, mass;
};

using Force = float (*)(float distance_squared, float mass);

extern __constant__ float softening;         // defined in separate_compilation_bodies.cu
extern __device__ Body bodies[kBodies];      // likewise
extern __device__ unsigned long long pairs;  // defined in separate_compilation.cu

__device__ float attraction(float distance_squared, float mass);  // defined in separate_compilation_bodies.cu
extern __device__ Force chosen_force;                             // likewise: points to a function there

/// A template in both files: the linker keeps one. Its table in shared memory is one, too.
template <typename Number>
__device__ __noinline__ Number block_sum(Number mine) {
  __shared__ Number parts[kBodies];
  parts[threadIdx.x] = mine;
  __syncthreads();
  Number sum = 0;
  for (unsigned t = 0; t < blockDim.x; ++t) sum += parts[t];
  __syncthreads();
  return sum;
}

/// Launches a kernel of the other file.
void place_bodies();
/// The sum of their masses, by block_sum() in the other file.
float total_mass();
