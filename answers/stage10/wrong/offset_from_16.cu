// refused: shuffle-source: a block of 16 threads has no lane 16 to take a term from
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --block-size 16
// hint: shuffle-source
// A shuffle from a lane that is not there has no defined value. The simulator gives the reader its own: counted twice.
#include "answer/without_kernel.cuh"

__device__ double sum_of_block_from_16(double sum) {
  __shared__ double warp_sums[32];
  const unsigned lanes = min(blockDim.x, 32u);  // of each warp
  const unsigned warps = blockDim.x / lanes;
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  const unsigned lane = threadIdx.x % lanes;
  const unsigned warp = threadIdx.x / lanes;

  for (unsigned offset = 16; offset > 0; offset /= 2) {  // however many lanes there are
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
  const double sum = sum_of_block_from_16(sum_of_thread(f, a, b, n, h));
  if (threadIdx.x == 0) {
    atomicAdd(integral, sum);
  }
}
