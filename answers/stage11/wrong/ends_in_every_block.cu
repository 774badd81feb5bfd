// refused: wrong-result: thread 0 of every block puts the ends right, and they are wrong once
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: ends-counted-often
// Right as long as there is one block.
#include "answer/without_terms.cuh"

__device__ double wrong_sum_of_thread(workbook::Integrand f, double a, double b, std::size_t n, double h) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  double heights = 0.0;
  for (std::size_t i = first; i < n; i += grid_size) {
    heights += f(a + static_cast<double>(i) * h);
  }
  if (threadIdx.x == 0) {
    heights += (f(b) - f(a)) / 2.0;
  }
  return heights * h;
}
