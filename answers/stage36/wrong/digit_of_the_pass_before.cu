// refused: wrong-result: the last pass takes the digit of the one before, and no pass sorts by the highest
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-last-digit
#include "answer/linked_answer.cuh"

__device__ unsigned digit_of(std::uint32_t ordinal, unsigned pass) {
  return ::digit_of(ordinal, pass == 3 ? 2 : pass);
}

template <unsigned kKeys>
__device__ void place_keys(const std::uint32_t (&keys)[kKeys], unsigned (&places)[kKeys], unsigned* next,
                           std::uint32_t* sorted, unsigned pass) {
  right::place_keys(keys, places, next, sorted, pass == 3 ? 2 : pass);
}

#include "answer/launch_linked_answer.cuh"
