// refused: wrong-result: all searches are of one round, and the states of the one before count
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --cases quick,hostile
// SPDX-License-Identifier: MIT
// hint: blocks-store-one-element
#define WRONG_KEY T
#include "answer/without_kernel.cuh"

__device__ Turn wrong_draw_tile(Board& board, unsigned tiles) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> drawn(board.drawn);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> round(board.round);
    turn.round = round.load(cuda::memory_order_relaxed) + 1;
    turn.tile = drawn.fetch_add(1, cuda::memory_order_acq_rel);
    if (turn.tile + 1 == tiles) {
      drawn.store(0, cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  return turn;
}

#define DRAW_TILE wrong_draw_tile
#include "answer/kernel.cuh"
