// refused: race: the ticket orders nothing, and the partial sums may arrive after it
// SPDX-License-Identifier: MIT
// shown by: --size 3x9004 --block-size 64
// hint: race-between-blocks
// "An atomic addition is enough." It makes sure that no two blocks get the same number, and no more.
#define is_last(...) is_last(Wrong(), __VA_ARGS__)
#include "answer/one_form_answer.cuh"

__device__ bool is_last(Wrong, unsigned* ticket) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    last = atomicAdd(ticket, 1) + 1 == gridDim.y;
    if (last) {
      *ticket = 0;
    }
  }
  __syncthreads();
  return last;
}
