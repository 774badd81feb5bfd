// refused: wrong-result: both parts are the number itself
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: high-parts
#include "answer/linked_answer.cuh"

__device__ void split(Pair& high, Pair& low, float first, float second) { high = low = pair_of(first, second); }

#include "answer/launch_linked_answer.cuh"
