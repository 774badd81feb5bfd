// SPDX-License-Identifier: MIT
// Stage 31: sorted queries. Keys and queries are two sorted lists, and a search of all queries goes through both once,
// as a merge does. No place is looked for at random. The way of the merge (the merge path) is cut into tiles with the
// same number of steps. So every block has the same to do, wherever keys and queries are crowded.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "workbook/student/binary_search.h"

using workbook::Bound;
using workbook::KeyType;

constexpr unsigned kTile = 4096;     // steps of the merge: keys and queries together
constexpr unsigned kThreads = 256;   // a block
constexpr unsigned kManyAtOnce = 4;  // queries that a thread searches at the same time, where there are enough

constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// What the merge goes through. A step takes the next key where it is in front of the next query, else the query.
struct Lists {
  const std::uint32_t* keys;
  std::size_t n;
  const std::uint32_t* queries;
  std::size_t m;
};

// How many of the first `step` steps of the merge take keys; all others take queries.
template <KeyType kType, Bound kBound>
__device__ std::size_t keys_before(std::size_t step, const Lists& lists) {
  // BEGIN SOLUTION: a binary search. The answer is at least 0 and step - m, and at most step and n. Key i,
  //     counted from 0, is taken within these steps just if it is in front of query step - 1 - i. All numbers are
  //     without a sign, so subtract m only where step is larger.
  // UNTIL SOLVED: return 0;  // replace
  std::size_t least = step > lists.m ? step - lists.m : 0, most = min(step, lists.n);
  while (least < most) {
    const std::size_t i = least + (most - least) / 2;
    const std::uint32_t key = workbook::ordinal_of(lists.keys[i], kType);
    const std::uint32_t query = workbook::ordinal_of(lists.queries[step - 1 - i], kType);
    if (workbook::is_in_front<kBound>(key, query)) {
      least = i + 1;
    } else {
      most = i;
    }
  }
  return least;
  // END SOLUTION
}

// splits[t] = the keys before tile t. Launch: a thread for each of the tiles and one more, or more.
template <KeyType kType, Bound kBound>
__global__ void split_merge(Lists lists, std::size_t tiles, std::uint32_t* splits) {
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t <= tiles) {
    splits[t] = static_cast<std::uint32_t>(keys_before<kType, kBound>(min(t * kTile, lists.n + lists.m), lists));
  }
}

// Places of the tile's queries by its keys. The keys are in shared memory, with the last key of the order behind them
// up to kTile. A thread searches kAtOnce of them at the same time. While one waits, the others go on.
template <KeyType kType, Bound kBound, unsigned kAtOnce>
__device__ void search_tile(const std::uint32_t* tile_keys, std::uint32_t first_key, std::uint32_t key_count,
                            const std::uint32_t* queries, std::uint32_t query_count, std::uint32_t* places) {
  for (std::uint32_t first = threadIdx.x; first < query_count; first += kAtOnce * kThreads) {
    std::uint32_t query[kAtOnce], place[kAtOnce];  // of queries first, first + kThreads, ...
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) {
      const std::uint32_t j = first + k * kThreads;
      query[k] = j < query_count ? workbook::ordinal_of(__ldcs(queries + j), kType) : 0;
      place[k] = 0;
    }
    // BEGIN SOLUTION: steps of kTile / 2, kTile / 4, ..., 1, and in each the next key of every query. There
    //     are place + step keys in front of it if the last of them is. The keys from key_count on stand for no key.
    //     Then store the places of the queries that are there, counted from first_key on.
#pragma unroll
    for (std::uint32_t step = kTile / 2; step > 0; step /= 2) {
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        if (workbook::is_in_front<kBound>(tile_keys[place[k] + step - 1], query[k])) {
          place[k] += step;
        }
      }
    }
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) {
      const std::uint32_t j = first + k * kThreads;
      if (j < query_count) {
        __stcs(places + j, first_key + min(place[k], key_count));
      }
    }
    // END SOLUTION
  }
}

// Brings the keys of a tile into shared memory, by their ordinals. All threads of the block come here, and may read all
// of them afterwards.
template <KeyType kType>
__device__ void bring_keys(std::uint32_t* tile_keys, const std::uint32_t* keys, std::uint32_t key_count) {
  // BEGIN SOLUTION: of each thread first all loads, kThreads apart, into registers, then all into
  //     shared memory. Up to kTile the last key of the order stands behind the keys. Then all threads may read what
  //     the others have brought.
  constexpr unsigned kKeysAThread = kTile / kThreads;
  std::uint32_t loaded[kKeysAThread];
#pragma unroll
  for (unsigned k = 0; k < kKeysAThread; ++k) {
    const std::uint32_t i = threadIdx.x + k * kThreads;
    loaded[k] = i < key_count ? workbook::ordinal_of(__ldcs(keys + i), kType) : 0xffffffffu;
  }
#pragma unroll
  for (unsigned k = 0; k < kKeysAThread; ++k) {
    tile_keys[threadIdx.x + k * kThreads] = loaded[k];
  }
  __syncthreads();
  // END SOLUTION
}

// places[j] = the place of queries[j]. Launch: a block a tile.
template <KeyType kType, Bound kBound>
__global__ void __launch_bounds__(kThreads)
    merge_tiles(Lists lists, const std::uint32_t* splits, std::uint32_t* places) {
  __shared__ std::uint32_t tile_keys[kTile];
  const std::size_t begin = std::size_t{blockIdx.x} * kTile, end = min(begin + kTile, lists.n + lists.m);
  const std::uint32_t first_key = splits[blockIdx.x], key_count = splits[blockIdx.x + 1] - first_key;
  const std::size_t first_query = begin - first_key;
  const auto query_count = static_cast<std::uint32_t>(end - begin - key_count);
  if (query_count == 0) {
    return;  // the whole block: no thread waits for it
  }
  bring_keys<kType>(tile_keys, lists.keys + first_key, key_count);
  const auto search = [&](auto at_once) {
    search_tile<kType, kBound, decltype(at_once)::value>(tile_keys, first_key, key_count, lists.queries + first_query,
                                                         query_count, places + first_query);
  };
  if (query_count > kThreads) {
    search(std::integral_constant<unsigned, kManyAtOnce>());
  } else {
    search(std::integral_constant<unsigned, 1>());
  }
}

void search_sorted_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned /*block_size*/,
                             cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write keys_before, search_tile and bring_keys, then delete this line");
  if (search.m == 0) {
    return;  // there may be no tile, and a grid without blocks cannot be launched
  }
  const Lists lists{search.keys, search.n, search.queries, search.m};
  const std::size_t tiles = divide_up(lists.n + lists.m, kTile);
  constexpr unsigned kSplitThreads = 128;
  const auto split_blocks = static_cast<unsigned>(divide_up(tiles + 1, kSplitThreads));
  workbook::with_type_and_bound(search, [&](auto type, auto bound) {
    constexpr KeyType kType = decltype(type)::value;
    constexpr Bound kBound = decltype(bound)::value;
    split_merge<kType, kBound><<<split_blocks, kSplitThreads, 0, stream>>>(lists, tiles, workspace);
    CUDA_CHECK(cudaGetLastError());
    merge_tiles<kType, kBound><<<static_cast<unsigned>(tiles), kThreads, 0, stream>>>(lists, workspace, search.places);
    CUDA_CHECK(cudaGetLastError());
  });
}
