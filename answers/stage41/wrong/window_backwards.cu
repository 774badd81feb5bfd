// refused: wrong-result: the nearest tile is combined first: right for numbers, and not for maps
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 12289 --type affine
// hint: order-of-tiles
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ Window<T> wrong_look_at_window(State* tiles, unsigned end, unsigned round) {
  const unsigned lane = threadIdx.x % kWarp;
  State found = state_of(round, kUpToIsThere, identity<T>());
  if (lane < end) {
    cuda::atomic_ref<State, cuda::thread_scope_device> tile(tiles[end - 1 - lane]);
    do {
      found = tile.load(cuda::memory_order_relaxed);
    } while (round_of(found) != round);
  }
  const unsigned ends = __ballot_sync(kAll, mark_of(found) == kUpToIsThere);
  const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : kWarp;
  T all = lane <= nearest ? value_in<T>(found) : identity<T>();
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const T further = workbook::shuffle_down(all, distance);
    all = combine(all, further);
  }
  return {workbook::shuffle(all, 0), ends != 0};
}

#define LOOK_AT_WINDOW wrong_look_at_window
#define WRONG_TYPE workbook::Affine
#include "answer/kernel.cuh"
