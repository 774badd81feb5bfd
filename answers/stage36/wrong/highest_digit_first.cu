// refused: wrong-result: the first pass takes the highest digit, and the last one, which decides, the lowest
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-last-digit
#include "answer/linked_answer.cuh"

__device__ unsigned digit_of(std::uint32_t ordinal, unsigned pass) { return ::digit_of(ordinal, 3 - pass); }

template <unsigned kKeys>
__device__ void place_keys(const std::uint32_t (&keys)[kKeys], unsigned (&places)[kKeys], unsigned* next,
                           std::uint32_t* sorted, unsigned pass) {
  right::place_keys(keys, places, next, sorted, 3 - pass);
}

#include "answer/launch_linked_answer.cuh"
