// refused: wrong-result: a rectangle for each left end is not the trapezoidal rule
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// Off by h * (f(b) - f(a)) / 2: nothing to see where both ends are equally high, so a whole period of the sine, from
// 0 to 6.283185307179586, shows nothing.
#include <algorithm>
#include <cstddef>

#include "workbook/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = f(a + static_cast<double>(i) * h);
    atomicAdd(integral, height * h);
  }
}

void integrate_on_device(workbook::Integrand f, double a, double b, std::size_t n, unsigned block_size,
                         double* integral, cudaStream_t stream) {
  constexpr std::size_t kMostBlocks = 2'147'483'647;  // that a grid can have in x: 2^31 - 1
  const double h = (b - a) / static_cast<double>(n);
  const std::size_t blocks = std::min((n + block_size - 1) / block_size, kMostBlocks);
  CUDA_CHECK(cudaMemsetAsync(integral, 0, sizeof(double), stream));
  add_trapezoids<<<static_cast<unsigned>(blocks), block_size, 0, stream>>>(f, a, b, n, h, integral);
  CUDA_CHECK(cudaGetLastError());
}
