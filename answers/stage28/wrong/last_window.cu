// refused: wrong-result: each window takes the place of the windows before it, and only the last one counts
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 300007 --block-size 256 --hits sixteenth --calls 2
// SPDX-License-Identifier: MIT
// hint: blocks-store-one-element
#include "answer/without_kernel.cuh"

__device__ unsigned wrong_look_back(Tile* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  Tile& mine = tiles[turn.tile];
  if (lane == 0) {
    publish(mine, turn.round, kOwnIsThere, own);
  }
  unsigned before = 0;
  for (unsigned end = turn.tile;; end -= kWarp) {
    unsigned number = 0;
    bool is_up_to = true;
    if (lane < end) {
      Tile& tile = tiles[end - 1 - lane];
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> state(tile.state);
      unsigned found = state.load(cuda::memory_order_acquire);
      while (found / kMarks != turn.round) {
        found = state.load(cuda::memory_order_acquire);
      }
      is_up_to = found % kMarks == kUpToIsThere;
      number = is_up_to ? tile.up_to : tile.own;
    }
    const unsigned ends = __ballot_sync(kAll, is_up_to);
    const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : kWarp;
    before = __shfl_sync(kAll, sum_up_to_lane(lane <= nearest ? number : 0), kWarp - 1);
    if (ends != 0) {
      break;
    }
  }
  if (lane == 0) {
    publish(mine, turn.round, kUpToIsThere, before + own);
  }
  return before;
}

#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
