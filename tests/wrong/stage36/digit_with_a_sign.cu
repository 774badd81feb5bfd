// refused: out-of-bounds: the rest of a negative number is negative, and so is the digit
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: outside-shared
#include "workbook/sort.h"

struct Wrong {};
__device__ int digit_of(Wrong, std::uint32_t ordinal, int pass);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define digit_of(...) digit_of(Wrong(), __VA_ARGS__)
#include "../stage36_answer.cuh"
#undef digit_of

__device__ int digit_of(Wrong, std::uint32_t ordinal, int pass) {
  return static_cast<int>(ordinal >> (8 * pass)) % 256;
}
