// refused: wrong-result: a float has 24 bits for the point, so all but a few points are a little off
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: only-float-digits
// f and the sum are double, and cannot bring back the digits that the point has lost.
#include "workbook/student/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += grid_size) {
    const float x = static_cast<float>(a) + static_cast<float>(i) * static_cast<float>(h);
    const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(x);
    atomicAdd(integral, height * h);
  }
}

#define add_trapezoids(...) right_add_trapezoids(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef add_trapezoids
