// refused: wrong-result: what a lane has is taken for what the whole warp has, and lane 0 leaves it
// SPDX-License-Identifier: MIT
// shown by: --size 1024 --elements ones
// hint: scan-of-warps
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ Scanned<T> wrong_scan_warp(T mine) {
  const unsigned lane = threadIdx.x % kWarp;
  T up_to = mine;
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const T below = workbook::shuffle_up(up_to, distance);
    up_to = lane >= distance ? combine(below, up_to) : up_to;
  }
  const T below = workbook::shuffle_up(up_to, 1);
  return {lane > 0 ? below : identity<T>(), up_to};
}

#define SCAN_WARP wrong_scan_warp
#include "answer/kernel.cuh"
