// refused: barrier-divergence: threads without a digit leave the sum before its barrier
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --block-size 512
// hint: barrier-missed
#include "answer/linked_answer.cuh"

__device__ unsigned sum_before(unsigned own) {
  if (own == 0) {
    return 0;  // nothing to add up
  }
  return ::sum_before(own);
}

#include "answer/launch_linked_answer.cuh"
