// refused: race: the block with the highest number adds up, but nothing says that the others have stored by then
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial --size 100003 --block-size 256
// hint: race-between-blocks
// A fence orders what its own block does; it makes no block wait. And the last block by number is not the last to
// arrive: blocks run in any order. Only a count of the blocks that are done shows which one is the last.
#include "answer/linked_answer.cuh"

__device__ void combine_blocks(float sum, float* partial_sums, unsigned* /*ticket*/) {
  const unsigned lane = threadIdx.x;
  if (lane == 0) {
    partial_sums[blockIdx.x] = sum;
    __threadfence();
  }
  __syncwarp();
  if (blockIdx.x + 1 < gridDim.x) {
    return;
  }
  float total = 0.0f;
  for (unsigned block = lane; block < gridDim.x; block += 32) {
    total += partial_sums[block];
  }
  total = sum_of_warp(total);
  if (lane == 0) {
    partial_sums[0] = total;
  }
}

#include "answer/launch_linked_answer.cuh"
