// SPDX-License-Identifier: MIT
// The sizes of stage 34, and the two runs that a block sees.
#pragma once

#include <cstddef>

constexpr unsigned kWarp = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kElements = 16;                   ///< A thread's, when it sorts a tile.
constexpr std::size_t kTile = kElements * kThreads;  ///< The first runs.
constexpr unsigned kKeys = 4;                        ///< A thread's, when it merges.
constexpr std::size_t kPiece = kKeys * kThreads;     ///< Keys of a run, for one block.
constexpr std::size_t kWindow = 2 * kPiece;          ///< Keys of the other run, in shared memory.

/// Two runs side by side, as a block sees them that merges a piece of one of them.
struct Runs {
  std::size_t first;         ///< The place of the first key of both.
  std::size_t begin, count;  ///< The block's piece: its first place, and how many keys it has.
  std::size_t own;           ///< The first place of its own run.
  std::size_t other, size;   ///< The first place of the other run, and how many keys it has.
  bool is_right;             ///< Whether its own run is the right one.
};

/// Pieces take turns, left and right: so two blocks that store to the same part of the output run at the same time.
__device__ inline Runs runs_of(unsigned block, std::size_t run, std::size_t n) {
  const auto pieces = static_cast<unsigned>(2 * run / kPiece);  // of both runs
  const unsigned piece = block % pieces;
  Runs runs;
  runs.is_right = piece % 2 == 1;
  runs.first = block / pieces * 2 * run;
  runs.own = runs.first + (runs.is_right ? run : 0);
  runs.begin = runs.own + piece / 2 * kPiece;
  runs.count = runs.begin < n ? min(kPiece, n - runs.begin) : 0;
  runs.other = runs.first + (runs.is_right ? 0 : run);
  runs.size = runs.other < n ? min(run, n - runs.other) : 0;
  return runs;
}
