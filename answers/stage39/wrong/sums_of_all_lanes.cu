// refused: race: each lane leaves a sum for its warp, its own, and not one lane that of all
// SPDX-License-Identifier: MIT
// shown by: --size 1024 --elements ones
// hint: two-store-one-element
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ T wrong_before_thread(T mine) {
  __shared__ T sums_of_warps[kMostWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const Scanned<T> in_warp = scan_warp(mine);
  sums_of_warps[warp] = combine(in_warp.before, mine);
  __syncthreads();
  const Scanned<T> of_warps = scan_warp(lane < warps ? sums_of_warps[lane] : identity<T>());
  return combine(workbook::shuffle(of_warps.before, warp), in_warp.before);
}

#define BEFORE_THREAD wrong_before_thread
#include "answer/kernel.cuh"
