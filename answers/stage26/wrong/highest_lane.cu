// refused: wrong-result: of the lanes with a hit the last one stores its own
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --block-size 256 --hits sixteenth
// hint: not-the-first
#define search_tile(...) right_search_tile(__VA_ARGS__)
#include "answer/without_one_function.cuh"

template <typename T>
__device__ void search_tile(const T* keys, const Layout& layout, std::size_t tile, T x, unsigned long long* first) {
  const uint4* const vectors = reinterpret_cast<const uint4*>(keys + layout.head);
  uint4 loaded[kLoads];
#pragma unroll
  for (unsigned k = 0; k < kLoads; ++k) {
    const std::size_t i = tile + k * blockDim.x + threadIdx.x;
    loaded[k] = i < layout.vectors ? load_once(vectors + i) : uint4{};
  }
#pragma unroll
  for (unsigned k = 0; k < kLoads; ++k) {
    const std::size_t i = tile + k * blockDim.x + threadIdx.x;
    const unsigned place = i < layout.vectors ? first_of_vector(loaded[k], x) : kKeys;
    const unsigned hits = __ballot_sync(0xffffffffu, place < kKeys);
    if (hits == 0) {
      continue;
    }
    if (threadIdx.x % 32 == 31 - __clz(hits)) {
      atomicMin(first, layout.head + i * kKeys + place);
    }
    return;
  }
}
