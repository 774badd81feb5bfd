// refused: stream-order: the sum is set to 0 in the caller's stream; the kernel, in the default stream, does not wait
// SPDX-License-Identifier: MIT
// shown by: --cases quick
// hint: other-stream
// A program of one's own mostly uses the default stream alone, and then nothing shows.
#include "workbook/student/integration.h"

#define integrate_on_device right_integrate_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef integrate_on_device

void integrate_on_device(workbook::Integrand f, double a, double b, std::size_t n, unsigned block_size,
                         double* integral, cudaStream_t stream) {
  constexpr std::size_t kMostBlocks = 2'147'483'647;  // that a grid can have in x: 2^31 - 1
  const double h = (b - a) / static_cast<double>(n);
  const std::size_t blocks = std::min((n + block_size - 1) / block_size, kMostBlocks);
  CUDA_CHECK(cudaMemsetAsync(integral, 0, sizeof(double), stream));
  add_trapezoids<<<static_cast<unsigned>(blocks), block_size>>>(f, a, b, n, h, integral);
  CUDA_CHECK(cudaGetLastError());
}
