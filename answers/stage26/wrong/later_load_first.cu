// refused: wrong-result: a lane takes the first hit of all its loads, and another lane has an earlier one
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --seed 12346 --block-size 256 --hits sixteenth --type int
// hint: not-the-first
#define search_tile(...) right_search_tile(__VA_ARGS__)
#include "answer/without_one_function.cuh"

// A lane's loads lie blockDim.x vectors apart: the lowest lane that has a hit need not have the first one.
template <typename T>
__device__ void search_tile(const T* keys, const Layout& layout, std::size_t tile, T x, unsigned long long* first) {
  const uint4* const vectors = reinterpret_cast<const uint4*>(keys + layout.head);
  std::size_t mine = workbook::kNoHit;
  for (unsigned k = kLoads; k-- > 0;) {
    const std::size_t i = tile + k * blockDim.x + threadIdx.x;
    const unsigned place = i < layout.vectors ? first_of_vector(load_once(vectors + i), x) : kKeys;
    mine = place < kKeys ? layout.head + i * kKeys + place : mine;
  }
  const unsigned hits = __ballot_sync(0xffffffffu, mine != workbook::kNoHit);
  if (hits != 0 && threadIdx.x % 32 == __ffs(hits) - 1) {
    atomicMin(first, static_cast<unsigned long long>(mine));
  }
}
