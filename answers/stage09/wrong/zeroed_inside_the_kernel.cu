// refused: race: one thread sets the sum to 0 while others already add to it
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 4097 --block-size 256
// hint: atomic-beside-plain
// Nothing orders the blocks: what has been added before block 0 comes is lost. In the plain order block 0 is first.
// The answer's cudaMemsetAsync() is still there, before the launch. With this in the kernel it does not help.
#include "workbook/student/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  if (first == 0) {
    *integral = 0.0;
  }
  __syncthreads();  // holds for the threads of one block
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h);
    atomicAdd(integral, height * h);
  }
}

#define add_trapezoids(...) right_add_trapezoids(__VA_ARGS__)  // the answer's kernel; its launch takes the one above
#include "../solution.cu"
#undef add_trapezoids
