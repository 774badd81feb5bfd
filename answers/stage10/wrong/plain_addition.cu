// refused: race: one thread a block is not one thread: other blocks add at the same time
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --block-size 256
// hint: update-lost
// Within a block only one thread adds to the sum. Between blocks everything is as in stage 09.
#include "answer/without_kernel.cuh"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const double sum = sum_of_block(sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    *integral += sum;
  }
}
