// refused: endless-loop: a block takes the tile of its own number, and waits for blocks that have no place to run
// shown by: CUDASIM_SCHEDULE=random CUDASIM_SEED=1 CUDASIM_BLOCKS=6 --size 65539 --hits runs --calls 2
// SPDX-License-Identifier: MIT
// hint: waits-for-ever
#include "answer/without_kernel.cuh"

__device__ Turn wrong_draw_tile(Board& board, unsigned tiles) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> drawn(board.drawn);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> round(board.round);
    turn.round = round.load(cuda::memory_order_relaxed) + 1;
    turn.tile = blockIdx.x;
    if (drawn.fetch_add(1, cuda::memory_order_acq_rel) + 1 == tiles) {
      drawn.store(0, cuda::memory_order_relaxed);
      round.store(turn.round, cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  return turn;
}

#define DRAW_TILE wrong_draw_tile
#include "answer/kernel.cuh"
