// refused: race: a warp reads the sums of warps that have not left them yet
// SPDX-License-Identifier: MIT
// shown by: --size 1024 --elements ones
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ T wrong_before_thread(T mine) {
  __shared__ T sums_of_warps[kMostWarps];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const Scanned<T> in_warp = scan_warp(mine);
  if (lane == 0) {
    sums_of_warps[warp] = in_warp.all;
  }
  const Scanned<T> of_warps = scan_warp(lane < warps ? sums_of_warps[lane] : identity<T>());
  return combine(workbook::shuffle(of_warps.before, warp), in_warp.before);
}

#define BEFORE_THREAD wrong_before_thread
#include "answer/kernel.cuh"
