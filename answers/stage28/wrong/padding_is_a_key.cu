// refused: wrong-result: what stands for a key behind the end is 0, and counts where 0 is looked for
// SPDX-License-Identifier: MIT
// hint: list-count
#include "pages.cuh"

// Comes before the given one, as it is in the namespace of this file.
template <typename T>
__device__ unsigned hits_of_page(const T* keys, std::size_t page, std::size_t end, T x) {
  const unsigned lane = threadIdx.x % kWarp;
  unsigned mine = 0;
  for (unsigned i = 0; i < kWarp && page + i * kWarp < end; ++i) {
    const std::size_t key = page + i * kWarp + lane;
    const T value = key < end ? keys[key] : T{};
    const unsigned hits = __ballot_sync(kAll, value == x);
    mine = lane == i ? hits : mine;
  }
  return mine;
}

#include "../solution.cu"
