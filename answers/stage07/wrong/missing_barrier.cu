// refused: race: warp 0 reads the sums of the other warps with no barrier after their stores
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// hint: race-in-block
// Shuffles need no barrier within a warp. Between warps the sums pass through shared memory, and that takes one.
#include "answer/linked_answer.cuh"

__device__ float sum_of_block(float sum) {
  __shared__ float warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  sum = sum_of_warp(sum);
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  return warp == 0 ? sum_of_warp(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f) : 0.0f;
}

#include "answer/launch_linked_answer.cuh"
