// refused: wrong-result: the next point is a whole grid further, not a block: so blocks share points
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: counted-wrong
#include "answer/without_terms.cuh"

__device__ double wrong_sum_of_thread(workbook::Integrand f, double a, double b, std::size_t n, double h) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  double heights = 0.0;
  for (std::size_t i = first; i < n; i += blockDim.x) {
    heights += f(a + static_cast<double>(i) * h);
  }
  if (first == 0) {
    heights += (f(b) - f(a)) / 2.0;
  }
  return heights * h;
}
