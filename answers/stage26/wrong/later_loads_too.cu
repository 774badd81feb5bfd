// refused: not-the-step: a warp that has its first hit takes those of its later loads to memory, too
// SPDX-License-Identifier: MIT
// hint: too-many-to-memory
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
    if (hits != 0 && threadIdx.x % 32 == __ffs(hits) - 1) {
      atomicMin(first, layout.head + i * kKeys + place);
    }
  }
}
