// refused: race: each thread stores tile[0], and not thread 0 alone
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: one-stores-the-edge
#define LEFT tile[0] = threadIdx.x == 0 && i > 0 && i < n ? input[i - 1] : 0
#include "answer/kernel.cuh"
