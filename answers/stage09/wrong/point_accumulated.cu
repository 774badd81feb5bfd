// refused: wrong-result: x += h rounds each time, always in the same direction, and the errors add up
// SPDX-License-Identifier: MIT
// shown by: --function sine --from 100000 --to 100000.001 --size 1000003 --block-size 32
// hint: only-large
// Each thread takes kInARow intervals. A long way from 0 doubles lie far apart, and h is few of their steps wide.
#include "workbook/student/integration.h"

constexpr std::size_t kInARow = 4096;

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * kInARow;
  double x = a + static_cast<double>(first) * h;
  for (std::size_t i = first; i < n && i < first + kInARow; ++i) {
    const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(x);
    x += h;
    atomicAdd(integral, height * h);
  }
}

#define add_trapezoids(...) right_add_trapezoids(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef add_trapezoids
