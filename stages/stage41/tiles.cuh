// SPDX-License-Identifier: MIT
// What tiles leave for each other in the workspace, and how the elements are cut into tiles.
#pragma once

#include <cstddef>

#include "workbook/student/scan.h"
#include "workbook/student/scan_rows.h"

constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kMostThreads = 256;   ///< Of a block.
constexpr unsigned kResidentBlocks = 5;  ///< That share an SM's registers: 48 are enough for four rows.
constexpr unsigned kMostRows = 4;        ///< Of a warp; one where there would be too few tiles.

/// What a block publishes about its tile: for which scan, what it is, and the value, in one word. It is stored at once
/// and loaded at once. What the scan before has left in the workspace belongs to another round. The workspace is zeros
/// before the first scan, which belong to no round.
using State = unsigned long long;
constexpr unsigned kMarks = 4;
constexpr unsigned kRounds = (1u << 30) - 1;  ///< Rounds are 1 to kRounds, and then 1 again.
constexpr unsigned kOwnIsThere = 1;           ///< The value is what the tile has together (CUB: partial).
constexpr unsigned kUpToIsThere = 2;          ///< It is what this tile and all before it have (CUB: inclusive).

template <typename T>
__device__ State state_of(unsigned round, unsigned mark, T value) {
  return State{kMarks * round + mark} << 32 | workbook::bits_of(value);
}
__device__ inline unsigned round_of(State state) { return static_cast<unsigned>(state >> 32) / kMarks; }
__device__ inline unsigned mark_of(State state) { return static_cast<unsigned>(state >> 32) % kMarks; }
template <typename T>
__device__ T value_in(State state) {
  return workbook::value_of<T>(static_cast<unsigned>(state));
}

/// What blocks draw from: one word, in front of the states.
struct Board {
  unsigned drawn;  ///< Tiles; 0 before and after each scan.
  unsigned round;  ///< Of the scan before, or 0.
};
static_assert(sizeof(Board) == sizeof(State));

/// What a block has drawn.
struct Turn {
  unsigned tile;
  unsigned round;
};

/// How the elements are cut.
struct Cut {
  unsigned tiles;
  unsigned rows;  // of each warp
};

/// Large tiles, as each costs a look back. But small ones as long as each SM has no more than one.
inline Cut cut_elements(std::size_t n, unsigned block_size) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto tiles_of = [n, block_size](unsigned rows) {
    const std::size_t tile = rows * workbook::ScanTile<int, 1>::size(block_size);
    return static_cast<unsigned>((n + tile - 1) / tile);
  };
  const unsigned rows = tiles_of(1) <= static_cast<unsigned>(multiprocessors) ? 1 : kMostRows;
  return {tiles_of(rows), rows};
}
