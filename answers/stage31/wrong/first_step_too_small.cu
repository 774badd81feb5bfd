// refused: wrong-result: the steps together are fewer than the keys that a tile may have
// SPDX-License-Identifier: MIT
// shown by: --size 20011x3001
// hint: search-tiles
#define search_tile(...) right_search_tile(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType, Bound kBound, unsigned kAtOnce>
__device__ void search_tile(const std::uint32_t* tile_keys, std::uint32_t first_key, std::uint32_t key_count,
                            const std::uint32_t* queries, std::uint32_t query_count, std::uint32_t* places) {
  for (std::uint32_t j = threadIdx.x; j < query_count; j += blockDim.x) {
    const std::uint32_t query = workbook::ordinal_of(queries[j], kType);
    std::uint32_t place = 0;
    for (std::uint32_t step = kTile / 4; step > 0; step /= 2) {
      if (workbook::is_in_front<kBound>(tile_keys[place + step - 1], query)) {
        place += step;
      }
    }
    places[j] = first_key + min(place, key_count);
  }
}
