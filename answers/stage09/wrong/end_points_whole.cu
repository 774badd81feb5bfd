// refused: wrong-result: each end belongs to one trapezoid, not to two, so it counts half
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: ends-not-half
// Off by h * (f(a) + f(b)) / 2. It does not show where f is 0 at both ends, as the sine is from 0 to pi.
#include "workbook/student/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = i == 0 ? f(a) + f(b) : f(a + static_cast<double>(i) * h);
    atomicAdd(integral, height * h);
  }
}

#define add_trapezoids(...) right_add_trapezoids(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef add_trapezoids
