// SPDX-License-Identifier: MIT
// Variant: a block for each tile, and a window of 32 tiles, at which its first warp looks.
// To expect: a block has nothing to load while it looks back, and looks more often where many tiles are under way.
#include "tiles.cuh"
#include "workbook/student/scan.h"

inline Cut cut_for_one_tile(std::size_t n, unsigned block_size) {
  Cut cut = cut_elements(n, block_size);
  cut.blocks = cut.tiles;
  return cut;
}

template <typename T, unsigned kRows>
__global__ void scan_tiles(workbook::Scan scan, const T* input, T* output, std::size_t n, unsigned count, Board* board,
                           State* tiles);

// Renames the answer's kernel, and not its launch: there no parenthesis follows the name.
#define scan_tiles(...) scan_tiles_in_hand(__VA_ARGS__)
#define cut_elements cut_for_one_tile
#include "../solution.cu"
#undef scan_tiles
#undef cut_elements

// As look_back() of the answer, for the first warp of a block.
template <typename T>
__device__ T look_back_by_one_warp(State* tiles, Turn turn) {
  const unsigned lane = threadIdx.x % kWarp;
  T before = identity<T>();
  bool is_enough = false;
  for (unsigned end = turn.tile; !is_enough; end -= kWarp) {
    State found = state_of(turn.round, kUpToIsThere, identity<T>());
    if (lane < end) {
      cuda::atomic_ref<State, cuda::thread_scope_device> tile(tiles[end - 1 - lane]);
      do {
        found = tile.load(cuda::memory_order_relaxed);
      } while (round_of(found) != turn.round);
    }
    const unsigned ends = __ballot_sync(kAll, mark_of(found) == kUpToIsThere);
    const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : kWarp;
    T all = lane <= nearest ? value_in<T>(found) : identity<T>();
    for (unsigned distance = 1; distance < kWarp; distance *= 2) {
      all = combine(workbook::shuffle_down(all, distance), all);
    }
    before = combine(workbook::shuffle(all, 0), before);
    is_enough = ends != 0;
  }
  return before;
}

constexpr unsigned kBlocksOfOneTile = 3;  // share an SM's registers

template <typename T, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kBlocksOfOneTile)
    scan_tiles(Scan scan, const T* input, T* output, std::size_t n, unsigned count, Board* board, State* tiles) {
  __shared__ T before_tile;
  const Turn turn = draw_tile(*board, count);
  const std::size_t begin = turn.tile * workbook::ScanTile<T, kRows>::size(blockDim.x);
  workbook::ScanTile<T, kRows> tile;
  tile.load(input, begin, n);
  const T own = tile.scan();
  if (threadIdx.x < kWarp) {
    if (threadIdx.x == 0) {
      publish(tiles[turn.tile], state_of(turn.round, kOwnIsThere, own));
    }
    const T before = look_back_by_one_warp<T>(tiles, turn);
    if (threadIdx.x == 0) {
      publish(tiles[turn.tile], state_of(turn.round, kUpToIsThere, combine(before, own)));
      before_tile = before;
    }
  }
  __syncthreads();
  tile.store(scan, before_tile, output, begin, n);
}
