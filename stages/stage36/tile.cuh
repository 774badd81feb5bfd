// SPDX-License-Identifier: MIT
// What a block sorts in a pass, and the digits of its keys.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbook/student/sort.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;
constexpr unsigned kDigitBits = 8, kDigits = 1 << kDigitBits;  // CUB: RADIX_BITS, RADIX_DIGITS
constexpr unsigned kPasses = 32 / kDigitBits;
constexpr std::uint32_t kLastOrdinal = 0xffffffffu;

/// The shape of a tile (CUB: BLOCK_THREADS, ITEMS_PER_THREAD, and the smallest number of blocks an SM). Warp w has the
/// w-th part of it, and lane l of a warp its numbers l, l + 32, l + 64, ... (CUB: warp-striped).
template <unsigned kThreads_, unsigned kKeysAThread_, unsigned kBlocksAnSm_, bool kHasValues_>
struct Tile {
  static constexpr unsigned kThreads = kThreads_, kKeysAThread = kKeysAThread_, kBlocksAnSm = kBlocksAnSm_;
  static constexpr bool kHasValues = kHasValues_;
  static constexpr unsigned kWarps = kThreads / kWarp, kSize = kThreads * kKeysAThread;
  static_assert(kThreads >= kDigits, "a thread for each digit");

  struct Shared {
    unsigned next[kWarps][kDigits];  ///< Where, in the sorted tile, the next key of a warp with this digit goes.
    std::size_t first[kDigits];  ///< What is added to a place in the sorted tile: the sum is the place in the output.
    std::uint32_t keys[kSize];   ///< The sorted tile.
    std::uint32_t values[kHasValues ? kSize : 1];
  };
};
template <bool kHasValues>
using SmallTile = Tile<256, 8, 4, kHasValues>;
template <bool kHasValues>
using LargeTile = Tile<512, kHasValues ? 20 : 24, 2, kHasValues>;

/// One of four passes. Between the passes, a key is stored as its ordinal, an unsigned number of the same order.
struct Pass {
  unsigned number;
  workbook::KeyType reads, writes;
};

__device__ inline unsigned digit_of(std::uint32_t ordinal, unsigned pass) {
  return (ordinal >> (kDigitBits * pass)) % kDigits;
}

/// A key of the tile. What is missing in the last tile becomes the last of all ordinals. It comes behind all keys that
/// there are.
__device__ inline std::uint32_t ordinal_at(const std::uint32_t* keys, unsigned place, unsigned size,
                                           workbook::KeyType type) {
  return place < size ? workbook::ordinal_of(keys[place], type) : kLastOrdinal;
}
