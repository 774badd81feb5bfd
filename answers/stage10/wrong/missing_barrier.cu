// refused: race: the first warp reads sums that the other warps may not have stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --block-size 256
// hint: race-in-block
// Shuffles order the lanes of one warp, not the warps of a block.
#include "answer/without_kernel.cuh"

__device__ double sum_of_block_without_barrier(double sum) {
  __shared__ double warp_sums[32];
  const unsigned lanes = min(blockDim.x, 32u);  // of each warp
  const unsigned warps = blockDim.x / lanes;
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  const unsigned lane = threadIdx.x % lanes;
  const unsigned warp = threadIdx.x / lanes;

  for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(mask, sum, offset);
  }
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  // Here the answer has a barrier.
  if (warp == 0) {
    sum = lane < warps ? warp_sums[lane] : 0.0;
    for (unsigned offset = warps / 2; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(mask, sum, offset);
    }
  }
  return sum;
}

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const double sum = sum_of_block_without_barrier(sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
