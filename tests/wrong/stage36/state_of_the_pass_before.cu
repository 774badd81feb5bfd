// refused: out-of-bounds: whatever is not 0 is taken for said, also by the pass before, and keys go behind the end
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 16384
// hint: outside-global
#include "workbook/sort.h"

struct Wrong {};
struct Pass;
__device__ std::uint64_t look_back(Wrong, const std::uint64_t* states, std::size_t tile, unsigned digit,
                                   const Pass& pass);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define look_back(...) look_back(Wrong(), __VA_ARGS__)
#include "../stage36_answer.cuh"
#undef look_back

__device__ State look_back(Wrong, const State* states, std::size_t tile, unsigned digit, const Pass& pass) {
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
