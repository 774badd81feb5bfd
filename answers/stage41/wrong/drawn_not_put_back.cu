// refused: endless-loop: the counter goes on in the next scan, whose first tiles nobody has
// SPDX-License-Identifier: MIT
// shown by: --size 5003 --calls 2
// hint: waits-for-ever
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
      round.store(turn.round, cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  return turn;
}

#define DRAW_TILE wrong_draw_tile
#include "answer/kernel.cuh"
