// refused: wrong-result: the two numbers of a pair have changed places in the low part
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: bits-lost
#include "answer/linked_answer.cuh"

__device__ void split(Pair& high, Pair& low, float first, float second) {
  Pair unused;
  right::split(high, unused, first, second);
  right::split(unused, low, second, first);
}

#include "answer/launch_linked_answer.cuh"
