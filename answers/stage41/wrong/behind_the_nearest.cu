// refused: wrong-result: tiles behind the nearest up_to are added, which has them already
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 20011 --elements ones
// hint: sum-before
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
  T all = value_in<T>(found);
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const T further = workbook::shuffle_down(all, distance);
    all = combine(further, all);
  }
  return {workbook::shuffle(all, 0), ends != 0};
}

#define LOOK_AT_WINDOW wrong_look_at_window
#include "answer/kernel.cuh"
