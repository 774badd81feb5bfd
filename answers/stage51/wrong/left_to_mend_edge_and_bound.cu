// refused: out-of-bounds: the last number has no neighbour behind it, and nothing stores tile[0] in the first round
// SPDX-License-Identifier: MIT
// shown by: --size 1024
// hint: edge-not-written
#define LEFT \
  if (threadIdx.x == 0 && i > 0 && i < n) tile[0] = input[i - 1]
#define RIGHT \
  if (threadIdx.x == blockDim.x - 1) tile[place + 1] = i < n ? input[i + 1] : 0
#include "answer/kernel.cuh"
