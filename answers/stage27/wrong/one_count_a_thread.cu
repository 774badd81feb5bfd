// refused: wrong-result: each thread of the scan takes one count, and there may be more
// SPDX-License-Identifier: MIT
// shown by: --size 1060000
// hint: blocks-store-one-element
#include "answer/without_scan.cuh"

__global__ void __launch_bounds__(kScanThreads) scan_counts(unsigned* counts, unsigned size, unsigned* total) {
  __shared__ unsigned sums_of_warps[kScanThreads / kWarp];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const unsigned each = 1;
  const unsigned begin = min(size, threadIdx.x * each), end = min(size, begin + each);
  unsigned sum = 0;
  for (unsigned i = begin; i < end; ++i) {
    sum += counts[i];
  }
  const unsigned up_to_me = sum_up_to_lane(sum);
  if (lane == kWarp - 1) {
    sums_of_warps[warp] = up_to_me;
  }
  __syncthreads();
  unsigned before = up_to_me - sum;
  for (unsigned i = 0; i < warp; ++i) {
    before += sums_of_warps[i];
  }
  for (unsigned i = begin; i < end; ++i) {
    const unsigned count = counts[i];
    counts[i] = before;
    before += count;
  }
  if (threadIdx.x == kScanThreads - 1) {
    *total = before;
  }
}
