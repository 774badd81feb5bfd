// refused: wrong-result: within the block the terms are added in float, which has 24 bits
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// hint: only-float-digits
// The atomics add doubles, of which only the first half of the digits is right.
#include "answer/without_kernel.cuh"

__device__ float sum_of_block_in_float(float sum) {
  __shared__ float warp_sums[32];
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
  __syncthreads();  // the first warp reads what the others have written
  if (warp == 0) {
    sum = lane < warps ? warp_sums[lane] : 0.0f;
    for (unsigned offset = warps / 2; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(mask, sum, offset);
    }
  }
  return sum;
}

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const double sum = sum_of_block_in_float(static_cast<float>(sum_of_thread(f, a, b, n, h)));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
