// refused: wrong-result: a warp adds the sum of the warp before it, and not those of all warps before
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --elements ones
// hint: scan-of-warps
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ T wrong_before_thread(T mine) {
  __shared__ T sums_of_warps[kMostWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const Scanned<T> in_warp = scan_warp(mine);
  if (lane == 0) {
    sums_of_warps[warp] = in_warp.all;
  }
  __syncthreads();
  return warp > 0 ? combine(sums_of_warps[warp - 1], in_warp.before) : in_warp.before;
}

#define BEFORE_THREAD wrong_before_thread
#include "answer/kernel.cuh"
