// refused: endless-loop: a block takes the tile of its own number, and waits for blocks that have no place to run
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=random CUDASIM_SEED=1 CUDASIM_BLOCKS=6 --size 35000
// hint: endless-loop
#include "workbook/student/sort.h"

// Comes before the given one, as it is in the namespace of this file.
__device__ unsigned draw_tile(unsigned&) {
  __syncthreads();
  return blockIdx.x;
}

#include "answer/small_tiles_answer.cuh"
