// refused: wrong-result: what is left of the second number is taken from the first
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: bits-lost
#include "answer/linked_answer.cuh"

__device__ void split(Pair& high, Pair& low, float first, float second) {
  high = pair_of(first, second);
  const float left = (first - value_of_first(high)) * kShift;
  low = pair_of(left, left);
}

#include "answer/launch_linked_answer.cuh"
