// SPDX-License-Identifier: MIT
// Variant: a look has 128 tiles. Each lane loads four states, which are under way at the same time.
// To expect: fewer looks one after the other, where more than 32 tiles lie between a tile and the nearest up_to.
#include "tiles.cuh"
#include "workbook/student/scan.h"

template <typename T, unsigned kRows>
__global__ void scan_tiles(workbook::Scan scan, const T* input, T* output, std::size_t n, Board* board, State* tiles);

// Renames the answer's kernel, and not its launch: there no parenthesis follows the name.
#define scan_tiles(...) scan_tiles_by_narrow_windows(__VA_ARGS__)
#include "../solution.cu"
#undef scan_tiles

constexpr unsigned kGroups = 4;  // of 32 tiles

// As look_back() of the answer.
template <typename T>
__device__ T look_back_by_wide_windows(State* tiles, Turn turn, T own) {
  const unsigned lane = threadIdx.x % kWarp;
  State& mine = tiles[turn.tile];
  if (lane == 0) {
    publish(mine, state_of(turn.round, kOwnIsThere, own));
  }
  T before = identity<T>();
  bool is_enough = false;
  for (unsigned end = turn.tile; !is_enough; end -= kGroups * kWarp) {
    State found[kGroups];
    bool is_there = false;
    while (!is_there) {
      is_there = true;
#pragma unroll
      for (unsigned i = 0; i < kGroups; ++i) {
        const unsigned back = i * kWarp + lane;
        found[i] = state_of(turn.round, kUpToIsThere, identity<T>());
        if (back < end) {
          cuda::atomic_ref<State, cuda::thread_scope_device> tile(tiles[end - 1 - back]);
          found[i] = tile.load(cuda::memory_order_relaxed);
        }
        is_there = is_there && round_of(found[i]) == turn.round;
      }
    }
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < kGroups; ++i) {
      const unsigned ends = __ballot_sync(kAll, mark_of(found[i]) == kUpToIsThere);
      const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : kWarp;
      T all = !is_enough && lane <= nearest ? value_in<T>(found[i]) : identity<T>();
      for (unsigned distance = 1; distance < kWarp; distance *= 2) {
        all = combine(workbook::shuffle_down(all, distance), all);
      }
      before = combine(workbook::shuffle(all, 0), before);
      is_enough = is_enough || ends != 0;
    }
  }
  if (lane == 0) {
    publish(mine, state_of(turn.round, kUpToIsThere, combine(before, own)));
  }
  return before;
}

template <typename T, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    scan_tiles(Scan scan, const T* input, T* output, std::size_t n, Board* board, State* tiles) {
  __shared__ T before_tile;
  const Turn turn = draw_tile(*board, gridDim.x);
  const std::size_t begin = turn.tile * workbook::ScanTile<T, kRows>::size(blockDim.x);
  workbook::ScanTile<T, kRows> tile;
  tile.load(input, begin, n);
  const T own = tile.scan();
  if (threadIdx.x < kWarp) {
    const T before = look_back_by_wide_windows(tiles, turn, own);
    if (threadIdx.x == 0) {
      before_tile = before;
    }
  }
  __syncthreads();
  tile.store(scan, before_tile, output, begin, n);
}
