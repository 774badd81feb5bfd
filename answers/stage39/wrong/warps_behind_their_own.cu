// refused: wrong-result: what a warp has comes before what lies before the warp: right for numbers, and not for maps
// SPDX-License-Identifier: MIT
// shown by: --size 1003 --type affine
// hint: order-of-operands
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
  __syncthreads();
  const Scanned<T> of_warps = scan_warp(lane < warps ? sums_of_warps[lane] : identity<T>());
  return combine(in_warp.before, workbook::shuffle(of_warps.before, warp));
}

#define BEFORE_THREAD wrong_before_thread
#include "answer/kernel.cuh"
