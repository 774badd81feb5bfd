// refused: wrong-result: the threads behind the last interval go on adding, on the far side of b
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: ends-counted-often
// The grid is rounded up, and rightly so: then it has threads too many, and only `i < n` sends them away.
#include "workbook/student/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h);
  atomicAdd(integral, height * h);
}

#define add_trapezoids(...) right_add_trapezoids(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef add_trapezoids
