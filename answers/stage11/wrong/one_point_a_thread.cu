// refused: wrong-result: the grid no longer has a thread for each interval, and nothing goes on to the next
// SPDX-License-Identifier: MIT
// shown by: --size 1000003 --block-size 256
// hint: only-large
// The kernel of stage 09 with a grid for the device. It is right as long as the device has room for all intervals.
#include "answer/without_terms.cuh"

__device__ double wrong_sum_of_thread(workbook::Integrand f, double a, double b, std::size_t n, double h) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  double heights = 0.0;
  if (const std::size_t i = first; i < n) {
    heights += f(a + static_cast<double>(i) * h);
  }
  if (first == 0) {
    heights += (f(b) - f(a)) / 2.0;
  }
  return heights * h;
}
