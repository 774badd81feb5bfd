// SPDX-License-Identifier: MIT
// The plan of the passes over memory, all of which are one launch. A block takes one tile of one pass.
#pragma once

#include <cstddef>
#include <utility>

#include "workbook/student/sort.h"

__host__ __device__ constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// The work of a block: tile output[begin], of `size` keys, which is a part of two runs, merged. The runs are
/// input[a, b) and input[b, end). The last run may be shorter than the others, or missing.
struct MergedTile {
  unsigned pass;
  workbook::Records input, output;
  std::size_t run;  ///< Keys of a run of this pass. In the next pass there are twice as many.
  std::size_t begin;
  int size;
  std::size_t a, b, end;
};

/// The passes.
struct Passes {
  unsigned count;
  unsigned tiles;               ///< Tiles of a pass.
  unsigned pairs;               ///< Pairs of runs in pass 0.
  std::size_t first_run;        ///< Keys of a run in pass 0. In pass p a run is 2^p times as long.
  workbook::Records even, odd;  ///< An even pass reads `even` and writes `odd`, an odd pass the other way.
  workbook::KeyType writes;     ///< What the last pass writes. Between passes a key is its ordinal.
  unsigned* counters;           ///< One line, and `pairs` counters for each pass. All are 0 before pass 0.

  /// The first counter has a line for itself, as all blocks change it.
  static constexpr unsigned kOwnLine = 64;
  __host__ __device__ unsigned counter_count() const { return count > 0 ? kOwnLine + count * pairs : 0; }

  /// How many tiles blocks have drawn.
  __device__ unsigned& tiles_drawn() const { return counters[0]; }

  /// How many tiles have been written of those that pair number `pair` of this pass is made of.
  __device__ unsigned& tiles_written(unsigned pass, std::size_t pair) const {
    return counters[kOwnLine + pass * pairs + pair];
  }

  /// Tile number `drawn`: first come all tiles of pass 0, then those of pass 1.
  template <class Tile>
  __device__ MergedTile tile(unsigned drawn, std::size_t n) const {
    MergedTile made{};
    made.pass = drawn / tiles;
    made.input = made.pass % 2 == 0 ? even : odd, made.output = made.pass % 2 == 0 ? odd : even;
    made.run = first_run << made.pass, made.begin = std::size_t{drawn % tiles} * Tile::kSize;
    made.size = static_cast<int>(min(n - made.begin, std::size_t{Tile::kSize}));
    made.a = made.begin / (2 * made.run) * (2 * made.run);
    made.b = min(made.a + made.run, n), made.end = min(made.b + made.run, n);
    return made;
  }
};

/// Gives the block the next tile, in the order in which blocks begin. So each block waits only for blocks that are at
/// work already. All threads of the block come here.
__device__ inline unsigned draw_tile(unsigned& tiles_drawn) {
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) {
    drawn = atomicAdd(&tiles_drawn, 1u);
  }
  __syncthreads();
  return drawn;
}

/// As many passes as it takes until one run is left. The last one writes the output.
template <class SortTile, class MergeTile>
Passes plan_passes(workbook::KeyType type, workbook::Records output, std::size_t n,
                   const workbook::SortWorkspace& workspace) {
  static_assert(2 * SortTile::kSize % MergeTile::kSize == 0, "no tile has keys of two pairs of runs");
  Passes passes{};
  for (std::size_t run = SortTile::kSize; run < n; run *= 2) {
    ++passes.count;
  }
  passes.tiles = static_cast<unsigned>(divide_up(n, MergeTile::kSize));
  passes.pairs = static_cast<unsigned>(divide_up(n, 2 * SortTile::kSize));
  passes.first_run = SortTile::kSize;
  passes.even = output, passes.odd = workspace.records;
  if (passes.count % 2 != 0) {
    std::swap(passes.even, passes.odd);  // so that the last pass writes the output
  }
  passes.writes = type;
  passes.counters = static_cast<unsigned*>(workspace.storage);
  return passes;
}
