// refused: uninitialised: the search asks beyond the keys of the tile
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_CHECK=init --size 1000x333
// hint: shared-not-written
#define merge_tiles(...) right_merge_tiles(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType, Bound kBound>
__global__ void __launch_bounds__(kThreads)
    merge_tiles(Lists lists, const std::uint32_t* splits, std::uint32_t* places) {
  __shared__ std::uint32_t tile_keys[kTile];
  const std::size_t begin = std::size_t{blockIdx.x} * kTile, end = min(begin + kTile, lists.n + lists.m);
  const std::uint32_t first_key = splits[blockIdx.x], key_count = splits[blockIdx.x + 1] - first_key;
  const std::size_t first_query = begin - first_key;
  const auto query_count = static_cast<std::uint32_t>(end - begin - key_count);
  if (query_count == 0) {
    return;
  }
  for (std::uint32_t i = threadIdx.x; i < key_count; i += blockDim.x) {
    tile_keys[i] = i < key_count ? workbook::ordinal_of(__ldcs(lists.keys + first_key + i), kType) : 0xffffffffu;
  }
  __syncthreads();
  search_tile<kType, kBound, 1>(tile_keys, first_key, key_count, lists.queries + first_query, query_count,
                                places + first_query);
}
