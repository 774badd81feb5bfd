// refused: wrong-result: a tile is drawn by a load and a store, so two blocks draw the same
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 5003
// hint: nobody-wrote
#include "answer/right.cuh"

using namespace right;

__device__ Turn wrong_draw_tile(Board& board, unsigned count) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<Board, cuda::thread_scope_device> word(board);
    const Board drawn = word.load(cuda::memory_order_relaxed);
    word.store(drawn + 1, cuda::memory_order_relaxed);
    turn.tile = static_cast<unsigned>(drawn);
    turn.round = static_cast<unsigned>(drawn >> 32) % kRounds + 1;
    if (turn.tile + 1 == count_draws(count)) {
      word.store(Board{turn.round} << 32, cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  return turn;
}

#define DRAW_TILE wrong_draw_tile
#include "answer/kernel.cuh"
