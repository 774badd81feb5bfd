// refused: wrong-result: the first pass takes the highest digit, and the last one, which decides, the lowest
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-last-digit
#include "workbook/sort.h"

struct Wrong {};
__device__ unsigned digit_of(Wrong, std::uint32_t ordinal, unsigned pass);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define digit_of(...) digit_of(Wrong(), __VA_ARGS__)
#include "../stage36_answer.cuh"
#undef digit_of

__device__ unsigned digit_of(Wrong, std::uint32_t ordinal, unsigned pass) {
  return digit_of(nullptr, ordinal, 3 - pass);
}
