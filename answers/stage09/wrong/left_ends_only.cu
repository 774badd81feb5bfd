// refused: wrong-result: a rectangle for each left end is not the trapezoidal rule
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// diagnosis: 1 of the 33 points is not in the sum: point 32, the last
// hint: ends-not-half
// Off by h * (f(b) - f(a)) / 2. It does not show where both ends are equally high. So a whole period of the sine, from
// 0 to 6.283185307179586, shows nothing.
#include "workbook/student/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = f(a + static_cast<double>(i) * h);
    atomicAdd(integral, height * h);
  }
}

#define add_trapezoids(...) right_add_trapezoids(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef add_trapezoids
