// refused: barrier-divergence: threads without a digit leave the sum before its barrier
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --block-size 512
// hint: barrier-missed
#include "workbook/sort.h"

struct Wrong {};
__device__ unsigned sum_before(Wrong, unsigned own);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define sum_before(...) sum_before(Wrong(), __VA_ARGS__)
#include "../stage36_answer.cuh"
#undef sum_before

__device__ unsigned sum_before(Wrong, unsigned own) {
  if (own == 0) {
    return 0;  // nothing to add up
  }
  return sum_before(nullptr, own);  // the answer's
}
