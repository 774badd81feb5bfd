// refused: out-of-bounds: who looks back takes the number of the tile before for that of all tiles before
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 9000
// hint: blocks-store-one-element
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
    } while (said >> kKindShift < of_tile(pass));
    before += said & ((State{1} << kKindShift) - 1);
    if (true) {
      break;
    }
  }
  return before;
}
