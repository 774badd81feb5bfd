// refused: uninitialised: nothing stores tile[0] in the first round, and the rounds are not in order
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: rounds-in-order
#define LEFT \
  if (threadIdx.x == 0 && i > 0 && i < n) tile[0] = input[i - 1]
#define END_OF_ROUND (void)0
#include "answer/kernel.cuh"
