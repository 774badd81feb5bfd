// refused: race: the states of other blocks are read as if no thread wrote them
// SPDX-License-Identifier: MIT
// shown by: --size 9000
// hint: atomic-beside-plain
// The compiler may read once and then go round for ever.
#include "answer/linked_answer.cuh"

__device__ State look_back(const State* states, std::size_t tile, unsigned digit, const Pass& pass) {
  State before = 0;
  while (tile-- > 0) {
    const State* const state = &states[tile * kDigits + digit];
    while (*state >> kKindShift < of_tile(pass)) {
    }
    before += *state & ((State{1} << kKindShift) - 1);
    if (*state >> kKindShift == of_all(pass)) {
      break;
    }
  }
  return before;
}

#include "answer/launch_linked_answer.cuh"
