// SPDX-License-Identifier: MIT
// Sums over threads and lanes.
#pragma once

#include "tile.cuh"

/// The sum over the threads before this one, of the first kDigits threads (CUB: BlockScan). All threads of the block
/// come here.
__device__ inline unsigned sum_before(unsigned own) {
  __shared__ unsigned warp_sums[kDigits / kWarp];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  unsigned sum = own;
#pragma unroll
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const unsigned left = __shfl_up_sync(kAllLanes, sum, distance);
    sum += lane >= distance ? left : 0;
  }
  __syncthreads();  // the sums of the call before have been read
  if (threadIdx.x < kDigits && lane == kWarp - 1) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  for (unsigned w = 0; threadIdx.x < kDigits && w < warp; ++w) {
    sum += warp_sums[w];
  }
  return sum - own;
}

/// The lanes of the warp that have the same digit: for each of its bits, the lanes in which it is the same (CUB:
/// MatchAny). All lanes of the warp come here.
__device__ inline unsigned lanes_with(unsigned digit) {
  unsigned lanes = kAllLanes;
#pragma unroll
  for (unsigned bit = 0; bit < kDigitBits; ++bit) {
    // As in C++: same = __ballot_sync(kAllLanes, digit & 1 << bit), and ~same where the bit is 0. In these words the
    // compiler makes half as many instructions of it.
    unsigned same;
    asm volatile(
        "{\n\t"
        ".reg .pred set;\n\t"
        ".reg .b32 masked;\n\t"
        "and.b32 masked, %1, %2;\n\t"
        "setp.ne.u32 set, masked, 0;\n\t"
        "vote.sync.ballot.b32 %0, set, 0xffffffff;\n\t"
        "@!set not.b32 %0, %0;\n\t"
        "}"
        : "=r"(same)
        : "r"(digit), "r"(1u << bit));
    lanes &= same;
  }
  return lanes;
}

/// The lanes before this one.
__device__ inline unsigned lanes_before() { return (1u << threadIdx.x % kWarp) - 1; }
