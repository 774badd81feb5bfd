// refused: not-the-step: no tile takes the up_to of another, so each adds up all tiles before it
// SPDX-License-Identifier: MIT
// hint: step-sectors
#define WRONG_PAGES kMostPages  // as at the size that is counted
#include "answer/without_kernel.cuh"

__device__ unsigned wrong_look_back(Tile* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  Tile& mine = tiles[turn.tile];
  if (lane == 0) publish(mine, turn.round, kOwnIsThere, own);
  unsigned before = 0;
  for (unsigned end = turn.tile; end > 0; end -= min(end, unsigned{kWarp})) {
    unsigned number = 0;
    if (lane < end) {
      Tile& tile = tiles[end - 1 - lane];
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> state(tile.state);
      while (state.load(cuda::memory_order_acquire) / kMarks != turn.round) {
      }
      number = tile.own;
    }
    before += __shfl_sync(kAll, sum_up_to_lane(number), kWarp - 1);
  }
  if (lane == 0) publish(mine, turn.round, kUpToIsThere, before + own);
  return before;
}

#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
