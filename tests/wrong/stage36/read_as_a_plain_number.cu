// refused: race: the states of other blocks are read as if nobody wrote them
// SPDX-License-Identifier: MIT
// shown by: --size 9000
// hint: race-between-blocks
// The compiler may read once and then go round for ever.
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
