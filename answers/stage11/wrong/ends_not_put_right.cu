// refused: wrong-result: what was taken out of the loop never came back: f(a) counts whole, and f(b) not at all
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: ends-not-half
#include "answer/without_terms.cuh"

__device__ double wrong_sum_of_thread(workbook::Integrand f, double a, double b, std::size_t n, double h) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  double heights = 0.0;
  for (std::size_t i = first; i < n; i += grid_size) {
    heights += f(a + static_cast<double>(i) * h);
  }
  return heights * h;
}
