// SPDX-License-Identifier: MIT
// What tiles leave for each other in the workspace, and how the keys are cut into tiles.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pages.cuh"
#include "workbook/student/find.h"

constexpr unsigned kMostPages = 4;       ///< Of a warp of a tile; fewer where there would be too few tiles.
constexpr unsigned kResidentBlocks = 3;  ///< Blocks that share an SM's registers.

/// What a block publishes about its tile, and for which search (CUB: a tile descriptor). What the search before has
/// left in the workspace belongs to another round. The workspace is zeros before the first search, which belong to no
/// round.
struct Tile {
  unsigned state;  ///< kMarks * round + which of the numbers below is there.
  unsigned own;    ///< Hits of the tile (CUB: the partial prefix).
  unsigned up_to;  ///< Hits of the tile and of all before it (CUB: the inclusive prefix).
};
constexpr unsigned kMarks = 4;
constexpr unsigned kRounds = (1u << 30) - 1;  ///< Rounds are 1 to kRounds, and then 1 again: a state has 32 bits.
constexpr unsigned kOwnIsThere = 1;
constexpr unsigned kUpToIsThere = 2;

/// What blocks draw from.
struct Board {
  unsigned drawn;  ///< Tiles; 0 before and after each search.
  unsigned round;  ///< Of the search before, or 0.
};

/// What a block has drawn.
struct Turn {
  unsigned tile;
  unsigned round;
};

/// How the keys are cut.
struct Cut {
  unsigned tiles;
  unsigned pages;    // a warp has
  unsigned threads;  // a block
};

/// Large tiles: each costs a look back. But three for two SMs at least, or there would be too few to keep the memory
/// busy. Smaller blocks where there would not be one for two SMs.
inline Cut cut_keys(std::size_t n, unsigned block_size) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto tiles_of = [n](unsigned pages, unsigned threads) {
    const std::size_t tile = std::size_t{kWarp} * pages * threads;
    return static_cast<unsigned>(std::max<std::size_t>(1, (n + tile - 1) / tile));
  };
  const auto sms = static_cast<unsigned>(multiprocessors);
  const unsigned pages = 2 * tiles_of(kMostPages, block_size) < 3 * sms ? 1 : kMostPages;
  unsigned threads = block_size;
  while (threads > 2 * kWarp && 2 * tiles_of(pages, threads) < sms) {
    threads /= 2;
  }
  return {tiles_of(pages, threads), pages, threads};
}
