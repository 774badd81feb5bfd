// refused: endless-loop: a block takes the tile of its own number, and waits for blocks that have no place to run
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=random CUDASIM_SEED=1 CUDASIM_BLOCKS=6 --size 16384
// hint: endless-loop
#include "answer/linked_answer.cuh"

__device__ std::size_t draw_tile(unsigned*) {
  __syncthreads();
  return blockIdx.x;
}

#include "answer/launch_linked_answer.cuh"
