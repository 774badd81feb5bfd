// refused: wrong-result: a block of fewer than 32 threads has blockDim.x / 32 = 0 warps, so its sum is lost
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 16
// Right for every block of 32 threads and more, and the integral is 0 for all others.
#include <algorithm>
#include <cstddef>

#include "workbook/integration.h"

__device__ double sum_of_block(double sum) {
  __shared__ double warp_sums[32];
  const unsigned lanes = min(blockDim.x, 32u);  // of each warp
  const unsigned warps = blockDim.x / 32;
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  const unsigned lane = threadIdx.x % lanes;
  const unsigned warp = threadIdx.x / lanes;

  for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(mask, sum, offset);
  }
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  __syncthreads();  // the first warp reads what the others have written
  if (warp == 0) {
    sum = lane < warps ? warp_sums[lane] : 0.0;
    for (unsigned offset = warps / 2; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(mask, sum, offset);
    }
  }
  return sum;
}

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t grid_size = std::size_t{gridDim.x} * blockDim.x;
  double sum = 0.0;
  for (std::size_t i = first; i < n; i += grid_size) {
    const double height = i == 0 ? (f(a) + f(b)) / 2.0 : f(a + static_cast<double>(i) * h);
    sum += height * h;
  }
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
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
