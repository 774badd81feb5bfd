// refused: barrier-divergence: the threads behind the last interval leave, and the others need them at the barrier
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: barrier-missed
// The shuffles of their warp miss them too. What lane 0 takes from a lane that has left belongs to no interval. A
// thread without an interval has a sum of 0, and is needed all the same.
#include "answer/without_kernel.cuh"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  if (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x >= n) {
    return;
  }
  const double sum = sum_of_block(sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
