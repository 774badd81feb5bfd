// SPDX-License-Identifier: MIT
// The two parts of a pair of runs that a tile is merged of: where they begin in global memory (CUB: the partition
// kernel of DeviceMergeSort), and how a block loads them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "passes.cuh"
#include "tile.cuh"

constexpr unsigned kAllLanes = 0xffffffffu;

/// Returns how many of the first `diagonal` keys of two runs a and b in global memory, merged, belong to a. Among equal
/// keys those of a come first. All lanes of a warp come here. A load takes long, and 32 take no longer than one. So the
/// lanes try 32 places at a time, and the ballot says how far the answer is yes.
__device__ inline std::size_t find_cut_by_warp(const std::uint32_t* a, std::size_t of_a, const std::uint32_t* b,
                                               std::size_t of_b, std::size_t diagonal) {
  std::size_t from = diagonal > of_b ? diagonal - of_b : 0, to = min(of_a, diagonal);
  while (from < to) {
    const std::size_t distance = divide_up(to - from, kWarp);
    const std::size_t tried = from + threadIdx.x % kWarp * distance;
    const bool belongs = tried < to && a[tried] <= b[diagonal - 1 - tried];
    const int yes = __popc(__ballot_sync(kAllLanes, belongs));
    to = min(to, from + yes * distance);
    if (yes > 0) {
      from += (yes - 1) * distance + 1;
    }
  }
  return from;
}

/// The parts of a tile: `of_a` keys of the first run, and the others of the second.
struct Parts {
  int of_a;
  std::size_t from_a, from_b;

  /// The place in the input of key number `place`, where those of the first run come first.
  __device__ std::size_t input_place(int place) const { return (place < of_a ? from_a : from_b) + place; }
};

/// cuts: how many keys of the first run come before the tile, and before its end.
__device__ inline Parts parts_of(const MergedTile& tile, const std::size_t (&cuts)[2]) {
  const int of_a = static_cast<int>(cuts[1] - cuts[0]);
  return {of_a, tile.a + cuts[0], tile.b + (tile.begin - tile.a - cuts[0]) - of_a};
}

/// Loads both parts into shared memory: the first rises from the beginning of the tile on, the second falls from there
/// to the end. What is missing in the last tile is the largest element.
template <class Tile, class Element>
__device__ void load_parts(const MergedTile& tile, const Parts& parts, Element* elements) {
  Element own[Tile::kKeysAThread];
  for_each_place<Tile>(tile.size, Tile::kThreads, [&](int i, int place, bool exists) {
    own[i] = exists ? element_of<Element>(tile.input.keys[parts.input_place(place)], place)
                    : missing_element<Element>(workbook::KeyType::unsigned_ints);
  });
#pragma unroll
  for (int i = 0; i < Tile::kKeysAThread; ++i) {
    const int place = threadIdx.x + i * Tile::kThreads;
    elements[place < parts.of_a ? place : Tile::kSize - 1 - (place - parts.of_a)] = own[i];
  }
}
