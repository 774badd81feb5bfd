// SPDX-License-Identifier: MIT
// What tiles leave for each other in the workspace, and how the elements are cut into tiles.
#pragma once

#include <cstddef>

#include "workbook/student/scan.h"
#include "workbook/student/scan_rows.h"

constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kMostThreads = 256;   ///< Of a block.
constexpr unsigned kResidentBlocks = 2;  ///< So many share an SM's registers: 128 a thread are enough for two tiles.
constexpr unsigned kMostRows = 8;        ///< Of a warp; one where there would be too few tiles.

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

/// What blocks draw tickets from: one word, in front of the states. The low half counts the tickets of this scan, and
/// is 0 before and after it. The high half is the round of the scan before, or 0.
using Board = unsigned long long;

/// How many tickets a scan of so many tiles draws. Each block draws until its ticket is no tile, which is once more
/// than it has tiles. But where each block has one tile, it draws once.
__device__ inline unsigned count_draws(unsigned count) { return gridDim.x < count ? count + gridDim.x : count; }

/// What a block has drawn: a tile, or a number behind the last one.
struct Turn {
  unsigned tile;
  unsigned round;
};

/// What a look at some neighbouring tiles has found: what they have together, and whether that is all that lies before
/// the end of the window.
template <typename T>
struct Window {
  T all;
  bool is_enough;
};

/// Makes one window of those of the warps: that of warp 0 has the nearest tiles. What lies behind the first one that is
/// enough does not count. All threads of the block call it, and all get the same. It has two barriers: behind the
/// second one, it may be called again.
template <typename T>
__device__ Window<T> combine_windows(Window<T> of_warp) {
  __shared__ T all_of_warps[workbook::kMostWarps];
  __shared__ bool enough_of_warps[workbook::kMostWarps];
  const unsigned lane = threadIdx.x % workbook::kWarp, warp = threadIdx.x / workbook::kWarp;
  const unsigned warps = blockDim.x / workbook::kWarp;
  if (lane == 0) {
    all_of_warps[warp] = of_warp.all;
    enough_of_warps[warp] = of_warp.is_enough;
  }
  __syncthreads();
  const unsigned ends = __ballot_sync(kAll, lane < warps && enough_of_warps[lane]);
  const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : warps - 1;
  T all = lane <= nearest ? all_of_warps[lane] : workbook::identity<T>();
  __syncthreads();
#pragma unroll
  for (unsigned distance = 1; distance < workbook::kWarp; distance *= 2) {
    all = workbook::combine(workbook::shuffle_down(all, distance), all);
  }
  return {workbook::shuffle(all, 0), ends != 0};
}

/// How the elements are cut, and how many blocks scan them.
struct Cut {
  unsigned tiles;
  unsigned rows;  // of each warp
  unsigned blocks;
};

/// Large tiles, as each costs a look back. But small ones as long as each block has no more than one. There are as many
/// blocks as the launch bounds promise to be resident at once. More or fewer would be right, too.
inline Cut cut_elements(std::size_t n, unsigned block_size) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto tiles_of = [n, block_size](unsigned rows) {
    const std::size_t tile = rows * workbook::ScanTile<int, 1>::size(block_size);
    return static_cast<unsigned>((n + tile - 1) / tile);
  };
  const unsigned resident = static_cast<unsigned>(multiprocessors) * (kResidentBlocks * kMostThreads / block_size);
  const unsigned rows = tiles_of(1) <= resident ? 1 : kMostRows, tiles = tiles_of(rows);
  return {tiles, rows, tiles < resident ? tiles : resident};
}
