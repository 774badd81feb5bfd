// refused: not-the-step: a tile waits until the tile before knows its up_to, and looks no further back
// SPDX-License-Identifier: MIT
// hint: step-chain
#define WRONG_PAGES kMostPages  // as at the size that is counted
#include "answer/without_kernel.cuh"

__device__ unsigned wrong_look_back(Tile* tiles, Turn turn, unsigned own) {
  Tile& mine = tiles[turn.tile];
  unsigned before = 0;
  if (threadIdx.x % kWarp == 0) {
    publish(mine, turn.round, kOwnIsThere, own);
    if (turn.tile > 0) {
      Tile& last = tiles[turn.tile - 1];
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> state(last.state);
      while (state.load(cuda::memory_order_acquire) != kMarks * turn.round + kUpToIsThere) {
      }
      before = last.up_to;
    }
    publish(mine, turn.round, kUpToIsThere, before + own);
  }
  return __shfl_sync(kAll, before, 0);
}

#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
