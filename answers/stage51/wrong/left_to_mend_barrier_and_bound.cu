// refused: out-of-bounds: the last number has no neighbour behind it, and the rounds are not in order
// SPDX-License-Identifier: MIT
// shown by: --size 1024
// hint: rounds-in-order
#define END_OF_ROUND (void)0
#define RIGHT \
  if (threadIdx.x == blockDim.x - 1) tile[place + 1] = i < n ? input[i + 1] : 0
#include "answer/kernel.cuh"
