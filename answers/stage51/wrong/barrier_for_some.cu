// refused: barrier-divergence: the barrier is in the branch of the threads that have a number
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: barrier-for-all
#define END_OF_ROUND \
  if (i < n) __syncthreads()
#include "answer/kernel.cuh"
