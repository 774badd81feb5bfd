// refused: wrong-result: 32 bits hold no number above 4,294,967,295, so 4,294,968,296 intervals become 1,000
// SPDX-License-Identifier: MIT
// shown by: --function square --size 4294968296 --block-size 256
// The width h is right; 2^32 of the intervals are taken by no thread.
#include <algorithm>
#include <cstddef>

#include "workbook/integration.h"

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, unsigned n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h);
    atomicAdd(integral, height * h);
  }
}

void integrate_on_device(workbook::Integrand f, double a, double b, std::size_t n, unsigned block_size,
                         double* integral, cudaStream_t stream) {
  const double h = (b - a) / static_cast<double>(n);
  const std::size_t blocks = (static_cast<unsigned>(n) + block_size - 1) / block_size;
  CUDA_CHECK(cudaMemsetAsync(integral, 0, sizeof(double), stream));
  add_trapezoids<<<static_cast<unsigned>(blocks), block_size, 0, stream>>>(f, a, b, static_cast<unsigned>(n), h,
                                                                           integral);
  CUDA_CHECK(cudaGetLastError());
}
