// refused: warp-mask: the mask names all 32 lanes, but only as many come to the shuffles as the block has warps
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// hint: warp-mask
// The last step of the block has one number a warp: 8 of them in a block of 256. Those lanes alone go on, and the
// mask names lanes that never come. All is well in blocks of 1,024 threads, which have 32 warps. Let the whole warp
// come, and give zeros to the lanes that have no number.
#include "answer/linked_answer.cuh"

__device__ float sum_of_block(float sum) {
  __shared__ float warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  sum = sum_of_warp(sum);
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  if (threadIdx.x < blockDim.x / 32) {
    sum = sum_of_warp(warp_sums[lane]);
  }
  __syncwarp();
  return sum;
}

#include "answer/launch_linked_answer.cuh"
