// refused: out-of-bounds: whatever is not 0 is taken for said, also by the pass before, and keys go behind the end
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 16384
// hint: outside-global
#include "answer/linked_answer.cuh"

__device__ State look_back(const State* states, std::size_t tile, unsigned digit, const Pass& pass) {
  State before = 0;
  while (tile-- > 0) {
    const cuda::atomic_ref<const State, cuda::thread_scope_device> state(states[tile * kDigits + digit]);
    State said;
    do {
      said = state.load(cuda::memory_order_relaxed);
    } while (said == 0);
    before += said & ((State{1} << kKindShift) - 1);
    if (said >> kKindShift == of_all(pass)) {
      break;
    }
  }
  return before;
}

#include "answer/launch_linked_answer.cuh"
