// refused: wrong-result: the state is stored in two halves, first the round and the mark, then the value
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 20011 --elements ones
// hint: later-scan
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_publish(State& tile, State state) {
  unsigned* const words = reinterpret_cast<unsigned*>(&tile);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> value(words[0]), what(words[1]);
  what.store(static_cast<unsigned>(state >> 32), cuda::memory_order_relaxed);
  value.store(static_cast<unsigned>(state), cuda::memory_order_relaxed);
}

#define PUBLISH wrong_publish
#include "answer/kernel.cuh"
