// refused: wrong-result: the low part is as small as it is, and counts as if it were 2^11 times as large
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: bits-lost
#include "answer/linked_answer.cuh"

__device__ void split(Pair& high, Pair& low, float first, float second) {
  high = pair_of(first, second);
  low = pair_of(first - value_of_first(high), second - value_of_second(high));
}

#include "answer/launch_linked_answer.cuh"
