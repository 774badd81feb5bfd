// refused: wrong-result: each window begins with the last tile of the window before it, which counts twice
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 300007 --block-size 256 --hits sixteenth --calls 2
// SPDX-License-Identifier: MIT
// hint: blocks-store-one-element
// It reads the round plainly, which is right: so a block has come to one shared access fewer when it looks back.
#include "answer/without_kernel.cuh"

__device__ Turn plain_draw_tile(Board& board, unsigned tiles) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> drawn(board.drawn);
    turn.round = board.round % kRounds + 1;
    turn.tile = drawn.fetch_add(1, cuda::memory_order_acq_rel);
    if (turn.tile + 1 == tiles) {
      drawn.store(0, cuda::memory_order_relaxed);
      board.round = turn.round;
    }
  }
  __syncthreads();
  return turn;
}

__device__ unsigned overlapping_look_back(Tile* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  Tile& mine = tiles[turn.tile];
  if (lane == 0) publish(mine, turn.round, kOwnIsThere, own);
  unsigned before = 0;
  for (unsigned end = turn.tile;; end -= kWarp - 1) {
    const Window window = look_at_window(tiles, end, turn.round);
    before += window.hits;
    if (window.is_enough) break;
  }
  if (lane == 0) publish(mine, turn.round, kUpToIsThere, before + own);
  return before;
}

#define DRAW_TILE plain_draw_tile
#define LOOK_BACK overlapping_look_back
#include "answer/kernel.cuh"
