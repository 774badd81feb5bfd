// refused: out-of-bounds: hits for which there is no room are stored all the same
// SPDX-License-Identifier: MIT
// shown by: --size 1003 --room 37
// hint: no-room
#define store_hits(...) right_store_hits(__VA_ARGS__)
#include "answer/unsigned_keys_answer.cuh"

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    store_hits(const T* keys, std::size_t n, T x, std::size_t pages, const unsigned* offsets, workbook::Hits hits) {
  const Share share(n, pages);
  hits.capacity = n;
  unsigned at = offsets[share.warp];
  for (std::size_t page = share.begin; page < share.end; page += kPage) {
    at += store_page(hits, at, page, hits_of_page<T>(keys, page, share.end, x));
  }
}
