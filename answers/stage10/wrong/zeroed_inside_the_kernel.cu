// refused: race: block 0 sets the sum to 0 while other blocks already add to it
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 4097 --block-size 256
// hint: atomic-beside-plain
// A barrier would not help: it holds for one block. Nor does the answer's cudaMemsetAsync(), which is still there.
#include "answer/without_kernel.cuh"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *integral = 0.0;
  }
  const double sum = sum_of_block(sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
