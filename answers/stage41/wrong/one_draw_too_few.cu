// refused: endless-loop: a draw less is counted, and the last block draws in the next round
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 CUDASIM_MULTIPROCESSORS=1 --size 20011 --calls 2
// hint: output-not-written
#include "answer/right.cuh"

using namespace right;

__device__ Turn wrong_draw_tile(Board& board, unsigned count) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<Board, cuda::thread_scope_device> word(board);
    const Board drawn = word.fetch_add(1, cuda::memory_order_relaxed);
    turn.tile = static_cast<unsigned>(drawn);
    turn.round = static_cast<unsigned>(drawn >> 32) % kRounds + 1;
    if (turn.tile + 2 == count_draws(count)) {
      word.store(Board{turn.round} << 32, cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  return turn;
}

#define DRAW_TILE wrong_draw_tile
#include "answer/kernel.cuh"
