// refused: wrong-result: the sums of all warps but the first are never added
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 256
// diagnosis: 32 of the 65 points are not in the sum: points 32 to 63
// hint: some-lost
// Right for blocks of up to 32 threads.
#include "answer/without_kernel.cuh"

__device__ double sum_of_first_warp(double sum) {
  __shared__ double warp_sums[32];
  const unsigned lanes = min(blockDim.x, 32u);  // of each warp
  const unsigned mask = 0xffffffffu >> (32 - lanes);

  for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(mask, sum, offset);
  }
  if (threadIdx.x % lanes == 0) {
    warp_sums[threadIdx.x / lanes] = sum;
  }
  __syncthreads();
  return warp_sums[0];  // and the others?
}

__global__ void add_trapezoids(workbook::Integrand f, double a, double b, std::size_t n, double h, double* integral) {
  const double sum = sum_of_first_warp(sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
