// refused: wrong-result: the scan ends at the warp: what the warps below have is not added
// SPDX-License-Identifier: MIT
// shown by: --size 40009
// hint: list-count
#include "answer/without_scan.cuh"

__global__ void __launch_bounds__(kScanThreads) scan_counts(unsigned* counts, unsigned size, unsigned* total) {
  const unsigned each = (size + kScanThreads - 1) / kScanThreads;
  const unsigned begin = min(size, threadIdx.x * each), end = min(size, begin + each);
  unsigned sum = 0;
  for (unsigned i = begin; i < end; ++i) {
    sum += counts[i];
  }
  const unsigned up_to_me = sum_up_to_lane(sum);
  unsigned before = up_to_me - sum;
  for (unsigned i = begin; i < end; ++i) {
    const unsigned count = counts[i];
    counts[i] = before;
    before += count;
  }
  if (threadIdx.x == kScanThreads - 1) {
    *total = before;
  }
}
