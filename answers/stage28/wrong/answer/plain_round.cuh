// SPDX-License-Identifier: MIT
// A draw that is right, and that reads and stores the round as a plain number. Its blocks reach each other once less
// before they publish. A wrong look back must be refused after this draw, too.
#pragma once
#include "linked_answer.cuh"

namespace right {

__device__ Turn draw_with_plain_round(Board& board, unsigned tiles) {
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

}  // namespace right
