// refused: wrong-result: the rounds end with distance 8, so that a lane has sixteen lanes at most
// SPDX-License-Identifier: MIT
// shown by: --size 128 --elements ones
// hint: scan-of-warp
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ Scanned<T> wrong_scan_warp(T mine) {
  const unsigned lane = threadIdx.x % kWarp;
  T up_to = mine;
  for (unsigned distance = 1; distance < kWarp / 2; distance *= 2) {
    const T below = workbook::shuffle_up(up_to, distance);
    up_to = lane >= distance ? combine(below, up_to) : up_to;
  }
  const T below = workbook::shuffle_up(up_to, 1);
  return {lane > 0 ? below : identity<T>(), workbook::shuffle(up_to, kWarp - 1)};
}

#define SCAN_WARP wrong_scan_warp
#include "answer/kernel.cuh"
