// refused: wrong-result: each warp draws its offset from a counter, in the order in which warps come
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=random CUDASIM_SEED=1 --size 20011
// hint: list-order
// As a set, the indices are right.
#define store_hits(...) right_store_hits(__VA_ARGS__)
#include "answer/unsigned_keys_answer.cuh"

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    store_hits(const T* keys, std::size_t n, T x, std::size_t pages, const unsigned* offsets, workbook::Hits hits) {
  const Share share(n, pages);
  unsigned count = 0;
  for (std::size_t page = share.begin; page < share.end; page += kPage) {
    count += __popc(hits_of_page<T>(keys, page, share.end, x));
  }
  count = __shfl_sync(kAll, sum_up_to_lane(count), kWarp - 1);
  unsigned at = 0;
  if (threadIdx.x % kWarp == 0) {
    at = atomicAdd(const_cast<unsigned*>(offsets), count);  // the first warp's offset, which is 0
  }
  at = __shfl_sync(kAll, at, 0);
  for (std::size_t page = share.begin; page < share.end; page += kPage) {
    at += store_page(hits, at, page, hits_of_page<T>(keys, page, share.end, x));
  }
}
