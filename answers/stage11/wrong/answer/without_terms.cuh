// SPDX-License-Identifier: MIT
// The answer of stage 11 without sum_of_thread: its kernel takes the wrong_sum_of_thread of the including file.
#include "without_kernel.cuh"

__device__ double wrong_sum_of_thread(workbook::Integrand f, double a, double b, std::size_t n, double h);

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const double sum = sum_of_block(wrong_sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
