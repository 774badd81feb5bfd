// refused: wrong-result: all pages of a warp are stored from the same place on
// SPDX-License-Identifier: MIT
// shown by: --size 4400000 --block-size 256
// hint: two-store-one-element
#define store_hits(...) right_store_hits(__VA_ARGS__)
#include "answer/unsigned_keys_answer.cuh"

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    store_hits(const T* keys, std::size_t n, T x, std::size_t pages, const unsigned* offsets, workbook::Hits hits) {
  const Share share(n, pages);
  unsigned at = offsets[share.warp];
  for (std::size_t page = share.begin; page < share.end; page += kPage) {
    store_page(hits, at, page, hits_of_page<T>(keys, page, share.end, x));
  }
}
