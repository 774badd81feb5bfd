// refused: race: the other threads read the tile's number before thread 0 has drawn it
// SPDX-License-Identifier: MIT
// shown by: --size 5003
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

__device__ Turn wrong_draw_tile(Board& board, unsigned count) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<Board, cuda::thread_scope_device> word(board);
    const Board drawn = word.fetch_add(1, cuda::memory_order_relaxed);
    turn.tile = static_cast<unsigned>(drawn);
    turn.round = static_cast<unsigned>(drawn >> 32) % kRounds + 1;
    if (turn.tile + 1 == count_draws(count)) {
      word.store(Board{turn.round} << 32, cuda::memory_order_relaxed);
    }
  }
  return turn;
}

#define DRAW_TILE wrong_draw_tile
#include "answer/kernel.cuh"
