// refused: wrong-result: each block ends behind its first tile, and there are fewer blocks than tiles
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_MULTIPROCESSORS=1 --size 20011
// hint: output-not-written
#include "answer/right.cuh"

using namespace right;

template <typename T>
__global__ void __launch_bounds__(kMostThreads) scan_tiles_wrongly(Scan scan, const T* input, T* output, std::size_t n,
                                                                   unsigned count, Board* board, State* tiles) {
  const Turn first = draw_tile(*board, count);
  if (first.tile < count) {
    TileInHand<T, 1> mine;
    mine.begin(first, input, n, tiles);
    mine.finish(scan, output, n, tiles);
  }
}

#define SCAN_TILES scan_tiles_wrongly
#include "answer/kernel.cuh"
