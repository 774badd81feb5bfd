// refused: wrong-result: the tile in hand stays, and is finished again in place of the next one
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_MULTIPROCESSORS=1 --size 20011
// hint: output-not-written
#include "answer/right.cuh"

using namespace right;

template <typename T>
__global__ void __launch_bounds__(kMostThreads) scan_tiles_wrongly(Scan scan, const T* input, T* output, std::size_t n,
                                                                   unsigned count, Board* board, State* tiles) {
  const Turn first = draw_tile(*board, count);
  if (first.tile >= count) {
    return;
  }
  TileInHand<T, 1> mine, next;
  mine.begin(first, input, n, tiles);
  for (bool is_last = gridDim.x == count;;) {
    if (!is_last) {
      const Turn turn = draw_tile(*board, count);
      is_last = turn.tile >= count;
      if (!is_last) {
        next.begin(turn, input, n, tiles);
      }
    }
    mine.finish(scan, output, n, tiles);
    if (is_last) {
      return;
    }
  }
}

#define SCAN_TILES scan_tiles_wrongly
#include "answer/kernel.cuh"
