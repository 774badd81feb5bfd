// refused: wrong-result: one thread looks at tile after tile, but at no more than 32
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 300007 --block-size 256 --hits sixteenth --calls 2
// SPDX-License-Identifier: MIT
// hint: list-count
#include "answer/without_kernel.cuh"

__device__ unsigned wrong_look_back(Tile* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  Tile& mine = tiles[turn.tile];
  if (lane == 0) {
    publish(mine, turn.round, kOwnIsThere, own);
  }
  unsigned before = 0;
  if (lane == 0) {
    for (unsigned end = turn.tile; end != 0 && turn.tile - end < kWarp; --end) {
      Tile& tile = tiles[end - 1];
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> state(tile.state);
      unsigned found = state.load(cuda::memory_order_acquire);
      while (found / kMarks != turn.round) {
        found = state.load(cuda::memory_order_acquire);
      }
      const bool is_up_to = found % kMarks == kUpToIsThere;
      before += is_up_to ? tile.up_to : tile.own;
      if (is_up_to) {
        break;
      }
    }
  }
  before = __shfl_sync(kAll, before, 0);
  if (lane == 0) {
    publish(mine, turn.round, kUpToIsThere, before + own);
  }
  return before;
}

#define LOOK_BACK wrong_look_back
#include "answer/kernel.cuh"
