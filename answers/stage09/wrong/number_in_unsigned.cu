// refused: wrong-result: 32 bits hold no number above 4,294,967,295, so 4,294,968,296 intervals become 1,000
// SPDX-License-Identifier: MIT
// shown by: --function square --size 4294968296 --block-size 256
// hint: only-large
// slow: the CPU adds 2^32 terms
// The width h is right; 2^32 of the intervals are taken by no thread.
#include "workbook/student/integration.h"

#define integrate_on_device right_integrate_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef integrate_on_device

void integrate_on_device(workbook::Integrand f, double a, double b, std::size_t n, unsigned block_size,
                         double* integral, cudaStream_t stream) {
  const double h = (b - a) / static_cast<double>(n);
  const auto number = static_cast<unsigned>(n);
  const unsigned blocks = (number + block_size - 1) / block_size;
  CUDA_CHECK(cudaMemsetAsync(integral, 0, sizeof(double), stream));
  add_trapezoids<<<blocks, block_size, 0, stream>>>(f, a, b, number, h, integral);
  CUDA_CHECK(cudaGetLastError());
}
