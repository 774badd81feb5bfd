// refused: wrong-result: a block of fewer than 32 threads has blockDim.x / 32 = 0 warps, so its sum is lost
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 16
// hint: nothing-added
// Right for every block of 32 threads and more, and the integral is 0 for all others.
#include "answer/without_kernel.cuh"

__device__ double sum_of_large_block(double sum) {
  __shared__ double warp_sums[32];
  const unsigned lanes = min(blockDim.x, 32u);  // of each warp
  const unsigned warps = blockDim.x / 32;       // the answer divides by lanes
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
  const double sum = sum_of_large_block(sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
