// refused: uninitialised: the tree is built for 256 threads, and the block has 128: it adds what no thread stored
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 128
// hint: shared-not-written
// A constant that must equal what stands in the launch. In a block of more threads they write behind the array.
#include "answer/without_kernel.cuh"

constexpr unsigned kBlockSize = 256;

__device__ double sum_of_256_threads(double sum) {
  __shared__ double values[kBlockSize];
  values[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned offset = kBlockSize / 2; offset > 0; offset /= 2) {
    if (threadIdx.x < offset) {
      values[threadIdx.x] += values[threadIdx.x + offset];
    }
    __syncthreads();
  }
  return values[0];
}

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const double sum = sum_of_256_threads(sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
