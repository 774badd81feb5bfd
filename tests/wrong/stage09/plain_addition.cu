// refused: race: += is a load, an addition and a store, and other threads come between them
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --block-size 256
// Of the 32 lanes of a warp, which all load the same old sum, one stores last; the terms of the others are lost.
#include <algorithm>
#include <cstddef>

#include "workbook/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h);
    *integral += height * h;
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
