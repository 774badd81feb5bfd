// refused: wrong-result: bits are compared: a NaN is found, and a zero of the other sign is not
// SPDX-License-Identifier: MIT
// shown by: --size 4099 --block-size 64 --hits sixteenth --type float --wanted ones
// hint: none-found
#define search_tile(...) right_search_tile(__VA_ARGS__)
#include "answer/without_one_function.cuh"

template <typename T>
__device__ unsigned bits_of(T x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

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
    const unsigned place = i < layout.vectors ? first_of_vector(loaded[k], bits_of(x)) : kKeys;
    const unsigned hits = __ballot_sync(0xffffffffu, place < kKeys);
    if (hits == 0) {
      continue;
    }
    if (threadIdx.x % 32 == __ffs(hits) - 1) {
      atomicMin(first, layout.head + i * kKeys + place);
    }
    return;
  }
}
