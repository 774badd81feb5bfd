// refused: out-of-bounds: the kernel as it was handed out
// SPDX-License-Identifier: MIT
// shown by: --size 1024
// hint: rounds-in-order
#define LEFT \
  if (threadIdx.x == 0 && i > 0 && i < n) tile[0] = input[i - 1]
#define END_OF_ROUND (void)0
#define RIGHT \
  if (threadIdx.x == blockDim.x - 1) tile[place + 1] = i < n ? input[i + 1] : 0
#include "answer/kernel.cuh"
