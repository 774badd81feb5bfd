// refused: race: the block of the last part adds up what the others may not have stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 3x9004 --block-size 64
// hint: race-between-blocks
// Blocks run in any order, and a fence does not wait.
#define is_last(...) is_last(Wrong(), __VA_ARGS__)
#include "answer/one_form_answer.cuh"

__device__ bool is_last(Wrong, unsigned* /*ticket*/) {
  __threadfence();
  __syncthreads();
  return blockIdx.y + 1 == gridDim.y;
}
