// refused: wrong-result: a sum that is NaN is not less than anything, and so it is not computed again
// SPDX-License-Identifier: MIT
// shown by: --size 60x50x70 --factors special
// hint: lost-elements
#include "answer/linked_answer.cuh"

__device__ bool is_lost(float sum, float least) { return fabsf(sum) < least; }

#include "answer/launch_linked_answer.cuh"
