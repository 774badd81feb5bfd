// refused: wrong-result: the nearest up_to itself is left out
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 20011 --elements ones
// hint: sum-before
#include "answer/right.cuh"

using namespace right;

template <typename T>
__device__ Window<T> wrong_look_at_window(State* tiles, unsigned end, unsigned round) {
  const unsigned back = threadIdx.x, lane = back % kWarp;
  State found = state_of(round, kUpToIsThere, identity<T>());
  if (back < end) {
    cuda::atomic_ref<State, cuda::thread_scope_device> tile(tiles[end - 1 - back]);
    do {
      found = tile.load(cuda::memory_order_relaxed);
    } while (round_of(found) != round);
  }
  const unsigned ends = __ballot_sync(kAll, mark_of(found) == kUpToIsThere);
  const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : kWarp;
  Window<T> of_warp = {lane < nearest ? value_in<T>(found) : identity<T>(), ends != 0};
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    of_warp.all = combine(workbook::shuffle_down(of_warp.all, distance), of_warp.all);
  }
  return combine_windows(of_warp);
}

#define LOOK_AT_WINDOW wrong_look_at_window
#include "answer/kernel.cuh"
