// refused: wrong-result: nothing sets the sum to 0, so the terms are added to what the memory held before
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --block-size 256
// hint: global-not-written
// Where two kernels run one after the other, the first may find a zero in a fresh allocation. The second starts with
// the result of the first.
#include "workbook/student/integration.h"

#define integrate_on_device right_integrate_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef integrate_on_device

void integrate_on_device(workbook::Integrand f, double a, double b, std::size_t n, unsigned block_size,
                         double* integral, cudaStream_t stream) {
  constexpr std::size_t kMostBlocks = 2'147'483'647;  // that a grid can have in x: 2^31 - 1
  const double h = (b - a) / static_cast<double>(n);
  const std::size_t blocks = std::min((n + block_size - 1) / block_size, kMostBlocks);
  // Here the answer sets *integral to 0.
  add_trapezoids<<<static_cast<unsigned>(blocks), block_size, 0, stream>>>(f, a, b, n, h, integral);
  CUDA_CHECK(cudaGetLastError());
}
