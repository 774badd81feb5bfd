// refused: race: the other warps read what lies before the tile before the first one has found it
// SPDX-License-Identifier: MIT
// shown by: --size 5003
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    scan_tiles_wrongly(Scan scan, const T* input, T* output, std::size_t n, Board* board, State* tiles) {
  __shared__ T before_tile;
  const Turn turn = draw_tile(*board, gridDim.x);
  const std::size_t begin = turn.tile * workbook::ScanTile<T, 1>::size(blockDim.x);
  workbook::ScanTile<T, 1> tile;
  tile.load(input, begin, n);
  const T own = tile.scan();
  if (threadIdx.x < kWarp) {
    const T before = look_back(tiles, turn, own);
    if (threadIdx.x == 0) {
      before_tile = before;
    }
  }
  tile.store(scan, before_tile, output, begin, n);
}

#define SCAN_TILES scan_tiles_wrongly
#include "answer/kernel.cuh"
