// refused: endless-loop: a block takes the tile of its own number, and waits for blocks that have no place to run
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=random CUDASIM_SEED=1 CUDASIM_BLOCKS=6 --size 35000
// hint: endless-loop
#include "workbook/student/sort.h"

struct Wrong {};
__device__ unsigned draw_tile(Wrong, unsigned& tiles_drawn);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define draw_tile(...) draw_tile(Wrong(), __VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef draw_tile

__device__ unsigned draw_tile(Wrong, unsigned&) {
  __syncthreads();
  return blockIdx.x;
}
