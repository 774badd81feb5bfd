// SPDX-License-Identifier: MIT
// A tile of keys: its shape, the places of its keys, and how a block stores it (CUB: BlockStore, with a striped
// arrangement).
#pragma once

#include <cstddef>

#include "elements.cuh"
#include "workbook/student/sort.h"

constexpr int kWarp = 32;

/// The shape of a tile that a block sorts, or that it writes of two runs (CUB: BLOCK_THREADS, ITEMS_PER_THREAD, and the
/// smallest number of blocks an SM). The keys of a thread are an odd number. So the words that neighbours read at the
/// same time, at equal distances, lie in different banks.
template <int kThreads_, int kKeysAThread_, int kBlocksAnSm_>
struct Tile {
  static constexpr int kThreads = kThreads_, kKeysAThread = kKeysAThread_, kBlocksAnSm = kBlocksAnSm_;
  static constexpr int kSize = kThreads * kKeysAThread;
};

/// Calls visit(i, place, exists) for each key of a thread, where `threads` threads share a tile of `size` keys. Number
/// i of a thread is at `place`, and neighbours have neighbouring places (CUB: striped). If the tile is whole, the
/// compiler knows that all keys exist.
template <class Tile, class Visit>
__device__ void for_each_place(int size, int threads, Visit visit) {
  if (size == Tile::kSize) {
#pragma unroll
    for (int i = 0; i < Tile::kKeysAThread; ++i) {
      visit(i, static_cast<int>(threadIdx.x) + i * Tile::kThreads, true);
    }
  } else {
#pragma unroll
    for (int i = 0; i < Tile::kKeysAThread; ++i) {
      const int place = threadIdx.x + i * threads;
      visit(i, place, static_cast<int>(threadIdx.x) < threads && place < size);
    }
  }
}

/// Where element `i` of a thread lies in shared memory, when each `run` neighbouring threads have a sorted run
/// together. Every second run falls.
template <class Tile>
__device__ int place_in_run(int thread, int run, int i) {
  const int begin = thread / run * run * Tile::kKeysAThread, behind = thread % run * Tile::kKeysAThread + i;
  const bool falls = thread / run % 2 != 0;
  return falls ? begin + run * Tile::kKeysAThread - 1 - behind : begin + behind;
}

/// Stores a sorted tile of `size` elements, which lie in shared memory, at output[begin]. Ordinals become keys of the
/// type `writes`. value_at(place) is the value of an element with that place.
template <class Tile, class Element, class ValueAt>
__device__ void store_tile(workbook::Records output, std::size_t begin, int size, const Element* elements,
                           workbook::KeyType writes, ValueAt value_at) {
  for_each_place<Tile>(size, Tile::kThreads, [&](int, int place, bool exists) {
    if (exists) {
      output.keys[begin + place] = workbook::key_of(ordinal_of(elements[place]), writes);
      if constexpr (sizeof(Element) == sizeof(KeyAndPlace)) {
        output.values[begin + place] = value_at(static_cast<unsigned>(elements[place]));
      }
    }
  });
}

/// Waits for `threads` neighbouring threads, a power of two. Threads of one warp need no barrier of the block.
__device__ inline void wait_for_each_other(int threads) {
  if (threads > kWarp) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}
