// refused: wrong-result: the intervals behind the last whole block are lost
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: empty-grid
// With fewer intervals than a block has threads there is no block at all, and the launch fails.
#include <algorithm>
#include <cstddef>

#include "workbook/student/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (const std::size_t i = first; i < n) {
    const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h);
    atomicAdd(integral, height * h);
  }
}

void integrate_on_device(workbook::Integrand f, double a, double b, std::size_t n, unsigned block_size,
                         double* integral, cudaStream_t stream) {
  constexpr std::size_t kMostBlocks = 2'147'483'647;  // that a grid can have in x: 2^31 - 1
  const double h = (b - a) / static_cast<double>(n);
  const std::size_t blocks = std::min(n / block_size, kMostBlocks);
  CUDA_CHECK(cudaMemsetAsync(integral, 0, sizeof(double), stream));
  add_trapezoids<<<static_cast<unsigned>(blocks), block_size, 0, stream>>>(f, a, b, n, h, integral);
  CUDA_CHECK(cudaGetLastError());
}
