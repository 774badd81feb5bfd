// SPDX-License-Identifier: MIT
// What stage 27 has made: the hits of a page as bits, and their places in the list.
#pragma once

#include <cstddef>
#include <cstring>

#include "workbook/student/find.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kPage =
    kWarp * kWarp;                      ///< Keys that a warp takes at a time: a bit for each is a word for each lane.
constexpr unsigned kLoads = 16;         ///< Loads that a lane has under way at the same time.
constexpr unsigned kMostThreads = 512;  ///< Of a block.
constexpr unsigned kFew = 256;          ///< Hits of a page that meet in shared memory.

/// Reads 4 bytes that no thread of this SM will ask for again: they need no place in its L1 cache.
template <typename T>
__device__ T load_once(const T* address) {
  unsigned bits;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(bits) : "l"(address));
  T key;
  memcpy(&key, &bits, sizeof key);
  return key;
}

/// The hits of a page, which begins at `page`, as bits. Lane i gets those of keys page + 32 * i to page + 32 * i + 31,
/// the first of them in the lowest bit. Keys from `end` on are no hits. All lanes of the warp come here.
template <typename T>
__device__ unsigned hits_of_page(const T* keys, std::size_t page, std::size_t end, T x) {
  const unsigned lane = threadIdx.x % kWarp;
  unsigned mine = 0;
  if (page + kPage <= end) {
#pragma unroll
    for (unsigned first = 0; first < kWarp; first += kLoads) {
      T loaded[kLoads];
#pragma unroll
      for (unsigned i = 0; i < kLoads; ++i) {
        loaded[i] = load_once(keys + page + (first + i) * kWarp + lane);
      }
#pragma unroll
      for (unsigned i = 0; i < kLoads; ++i) {
        const unsigned hits = __ballot_sync(kAll, loaded[i] == x);
        mine = lane == first + i ? hits : mine;
      }
    }
    return mine;
  }
  for (unsigned i = 0; i < kWarp && page + i * kWarp < end; ++i) {
    const std::size_t key = page + i * kWarp + lane;
    const unsigned hits = __ballot_sync(kAll, key < end && keys[key] == x);
    mine = lane == i ? hits : mine;
  }
  return mine;
}

/// The sum of this lane's number and of those of all lanes below it.
__device__ inline unsigned sum_up_to_lane(unsigned number) {
  const unsigned lane = threadIdx.x % kWarp;
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const unsigned below = __shfl_up_sync(kAll, number, distance);
    number += lane >= distance ? below : 0;
  }
  return number;
}

/// Stores the indices of a page's hits from hits.indices[at] on, as far as there is room. Returns how many hits it has.
__device__ inline unsigned store_page(const workbook::Hits& hits, unsigned at, std::size_t page, unsigned mine) {
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned up_to_me = sum_up_to_lane(__popc(mine));
  const unsigned count = __shfl_sync(kAll, up_to_me, kWarp - 1);
  const unsigned before_me = up_to_me - __popc(mine);  // of the page's hits
  if (count > kFew) {
    // Many: all lanes store the hits of one word, side by side, and then those of the next.
    for (unsigned i = 0; i < kWarp; ++i) {
      const unsigned word = __shfl_sync(kAll, mine, i);
      const unsigned place = at + __shfl_sync(kAll, before_me, i) + __popc(word & ((1u << lane) - 1));
      if ((word >> lane & 1u) != 0 && place < hits.capacity) {
        hits.indices[place] = static_cast<unsigned>(page) + i * kWarp + lane;
      }
    }
    return count;
  }
  // Few: each lane has some, which lie apart in the list. So they meet in shared memory, and leave it side by side.
  __shared__ unsigned lists[kMostThreads / kWarp][kFew];
  unsigned* const list = lists[threadIdx.x / kWarp];
  for (unsigned place = before_me; mine != 0; mine &= mine - 1, ++place) {
    list[place] = static_cast<unsigned>(page) + lane * kWarp + __ffs(mine) - 1;
  }
  __syncwarp();
  for (unsigned place = lane; place < count && at + place < hits.capacity; place += kWarp) {
    hits.indices[at + place] = list[place];
  }
  __syncwarp();  // before the next page's hits come
  return count;
}
