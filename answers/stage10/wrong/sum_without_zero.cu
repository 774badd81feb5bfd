// refused: wrong-result: the thread's sum has no value before the first term is added to it
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: not-a-number
// The compiler need not warn. A GPU's register may hold a 0 by chance, and then the sum is right.
#include "answer/without_kernel.cuh"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  double sum;  // the answer: = 0.0
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h);
    sum += height * h;
  }
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
