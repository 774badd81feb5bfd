// refused: out-of-bounds: the rest of a negative number is negative, and so is the digit
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: outside-shared
#include "answer/linked_answer.cuh"

__device__ int digit_of(std::uint32_t ordinal, int pass) { return static_cast<int>(ordinal >> (8 * pass)) % 256; }

#include "answer/launch_linked_answer.cuh"
