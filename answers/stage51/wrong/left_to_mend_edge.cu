// refused: uninitialised: the first number has no neighbour before it, and nothing stores tile[0]
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: edge-not-written
#define LEFT \
  if (threadIdx.x == 0 && i > 0 && i < n) tile[0] = input[i - 1]
#include "answer/kernel.cuh"
