// refused: race: the other threads read the tile's number before thread 0 has drawn it
// SPDX-License-Identifier: MIT
// shown by: --size 5003
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

__device__ Turn wrong_draw_tile(Board& board, unsigned tiles) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> drawn(board.drawn);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> round(board.round);
    turn.round = round.load(cuda::memory_order_relaxed) % kRounds + 1;
    turn.tile = drawn.fetch_add(1, cuda::memory_order_acq_rel);
    if (turn.tile + 1 == tiles) {
      drawn.store(0, cuda::memory_order_relaxed);
      round.store(turn.round, cuda::memory_order_relaxed);
    }
  }
  return turn;
}

#define DRAW_TILE wrong_draw_tile
#include "answer/kernel.cuh"
