// refused: wrong-result: all pages of a warp are stored from the same place on
// SPDX-License-Identifier: MIT
// shown by: --size 16777216 --block-size 256
// hint: two-store-one-element
#include "../stage27_but_kernels.cuh"

__global__ void __launch_bounds__(kScanThreads) scan_counts(unsigned* counts, unsigned size, unsigned* total) {
  __shared__ unsigned sums_of_warps[kScanThreads / kWarp];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const unsigned each = (size + kScanThreads - 1) / kScanThreads;
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

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    store_hits(const T* keys, std::size_t n, T x, std::size_t pages, const unsigned* offsets, workbook::Hits hits) {
  const Share share(n, pages);
  unsigned at = offsets[share.warp];
  for (std::size_t page = share.begin; page < share.end; page += kPage) {
    store_page(hits, at, page, hits_of_page<T>(keys, page, share.end, x));
  }
}
