// refused: wrong-result: the bound is one too small, and the last number counts as 0 at the end of a tile
// SPDX-License-Identifier: MIT
// shown by: --size 1025 --block-size 256
// hint: wrong-neighbour
#define RIGHT \
  if (threadIdx.x == blockDim.x - 1) tile[place + 1] = i + 2 < n ? input[i + 1] : 0
#include "answer/kernel.cuh"
