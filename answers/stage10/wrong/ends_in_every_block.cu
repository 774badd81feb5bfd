// refused: wrong-result: thread 0 of every block takes the two ends, and leaves out a point of its own
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: ends-counted-often
// Thread 0 of a block is not thread 0 of the grid. Right as long as there is one block.
#include "answer/without_kernel.cuh"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  double sum = 0.0;
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = threadIdx.x == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h);
    sum += height * h;
  }
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
