// refused: out-of-bounds: a thread that looks back takes the number of the tile before for that of all tiles before
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 9000 --values places
// hint: blocks-store-one-element
#include "answer/linked_answer.cuh"

constexpr bool kOfValues = true;

__device__ State look_back(const State* states, std::size_t tile, unsigned digit, const Pass& pass) {
  State before = 0;
  while (tile-- > 0) {
    const cuda::atomic_ref<const State, cuda::thread_scope_device> state(states[tile * kDigits + digit]);
    State said;
    do {
      said = state.load(cuda::memory_order_relaxed);
    } while (said >> kKindShift < of_tile(pass));
    before += said & ((State{1} << kKindShift) - 1);
    if (true) {
      break;
    }
  }
  return before;
}

#include "answer/launch_linked_answer.cuh"
