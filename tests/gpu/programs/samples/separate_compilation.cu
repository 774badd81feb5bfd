// SPDX-License-Identifier: MIT
// Two files, compiled apart and linked (nvcc -rdc=true). Functions, variables, constants, a pointer to a function and a
// template go across them. Some names both have for themselves.
#include <cmath>

#include "helper_cuda.h"
#include "separate_compilation.h"

__device__ unsigned long long pairs = 7;

static __device__ __noinline__ float scaled(float x) { return x * 2.0f; }
static __device__ int calls = 1000;

static __global__ void pull(float* force, int* seen) {
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (int other = 0; other < kBodies; ++other) {
    const float dx = bodies[other].x - bodies[t].x;
    const float dy = bodies[other].y - bodies[t].y;
    const float squared = dx * dx + dy * dy;
    sum += t % 2 == 0 ? attraction(squared, bodies[other].mass) : chosen_force(squared, bodies[other].mass);
    atomicAdd(&pairs, 1ull);
  }
  force[t] = scaled(sum);
  const int all = block_sum(1);
  if (t == 0) *seen = all + calls;
  if (calls < 0) printf("never seen there\n");
}

int main() {
  bool right = true;
  const auto check = [&right](bool holds, const char* what) {
    if (!holds) std::printf("wrong: %s\n", what);
    right = right && holds;
  };
  place_bodies();
  float* force = nullptr;
  int* seen = nullptr;
  checkCudaErrors(cudaMalloc(&force, kBodies * sizeof *force));
  checkCudaErrors(cudaMalloc(&seen, sizeof *seen));
  pull<<<1, kBodies>>>(force, seen);
  checkCudaErrors(cudaGetLastError());

  float forces[kBodies];
  int threads_and_calls = 0;
  unsigned long long counted = 0;
  Body placed[kBodies];
  float soft = 0;
  checkCudaErrors(cudaMemcpy(forces, force, sizeof forces, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(&threads_and_calls, seen, sizeof threads_and_calls, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpyFromSymbol(&counted, pairs, sizeof counted));
  checkCudaErrors(cudaMemcpyFromSymbol(placed, bodies, sizeof placed));  // a variable of the other file
  checkCudaErrors(cudaMemcpyFromSymbol(&soft, softening, sizeof soft));
  checkCudaErrors(cudaFree(force));
  checkCudaErrors(cudaFree(seen));

  check(threads_and_calls == kBodies + 1000, "the template's sum, and this file's own variable");
  check(counted == 7 + kBodies * kBodies, "a variable that this file defines");
  check(soft == 0.25f, "a constant of the other file");
  float mass = 0;
  for (int t = 0; t < kBodies; ++t) {
    check(placed[t].x == 0.5f * static_cast<float>(t), "a place that the other file's own function computed");
    mass += placed[t].mass;
    double expected = 0;
    for (const Body& other : placed) {
      const double dx = other.x - placed[t].x, dy = other.y - placed[t].y;
      expected += other.mass / (dx * dx + dy * dy + 0.25);
    }
    check(std::fabs(forces[t] - 2 * expected) < 1e-4 * expected, "a force");
  }
  check(total_mass() == mass, "the template's sum in the other file");
  return finish("separate_compilation", right);
}
