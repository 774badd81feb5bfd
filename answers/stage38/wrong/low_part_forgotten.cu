// refused: wrong-result: a number is its high part alone, 11 bits of the 24
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: bits-lost
#include "answer/linked_answer.cuh"

__device__ void split(Pair& high, Pair& low, float first, float second) {
  right::split(high, low, first, second);
  low = 0;
}

#include "answer/launch_linked_answer.cuh"
