// refused: wrong-result: each thread takes n / threads points in a row, and the rest of the division is lost
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: some-lost
// With fewer intervals than threads nothing at all is left.
#include "answer/without_terms.cuh"

__device__ double wrong_sum_of_thread(workbook::Integrand f, double a, double b, std::size_t n, double h) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  double heights = 0.0;
  const std::size_t share = n / grid_size;
  for (std::size_t i = first * share; i < (first + 1) * share; ++i) {
    heights += f(a + static_cast<double>(i) * h);
  }
  if (first == 0) {
    heights += (f(b) - f(a)) / 2.0;
  }
  return heights * h;
}
