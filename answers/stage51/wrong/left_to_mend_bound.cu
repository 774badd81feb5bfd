// refused: out-of-bounds: the last number has no neighbour behind it, and it is loaded
// SPDX-License-Identifier: MIT
// shown by: --size 1024
// hint: one-too-far
#define RIGHT \
  if (threadIdx.x == blockDim.x - 1) tile[place + 1] = i < n ? input[i + 1] : 0
#include "answer/kernel.cuh"
