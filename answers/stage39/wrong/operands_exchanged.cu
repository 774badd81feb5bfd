// refused: wrong-result: what lies below is combined behind what a lane has: right for numbers, and not for maps
// SPDX-License-Identifier: MIT
// shown by: --size 100 --type affine
// hint: order-of-operands
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ Scanned<T> wrong_scan_warp(T mine) {
  const unsigned lane = threadIdx.x % kWarp;
  T up_to = mine;
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const T below = workbook::shuffle_up(up_to, distance);
    up_to = lane >= distance ? combine(up_to, below) : up_to;
  }
  const T below = workbook::shuffle_up(up_to, 1);
  return {lane > 0 ? below : identity<T>(), workbook::shuffle(up_to, kWarp - 1)};
}

#define SCAN_WARP wrong_scan_warp
#include "answer/kernel.cuh"
