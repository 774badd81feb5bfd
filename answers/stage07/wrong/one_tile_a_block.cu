// refused: wrong-result: a block that has more than one tile adds up its first one alone
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_MULTIPROCESSORS=1 --size 70001 --block-size 256
// hint: grid-smaller-than-the-work
// The grid is as large as the device: with many multiprocessors a small input ends in the first round.
#include "answer/linked_answer.cuh"

__device__ float sum_of_thread(const Layout& layout) {
  const std::size_t tile_size = kLoads * blockDim.x, of_grid = gridDim.x * tile_size;
  Layout first_round = layout;
  first_round.vector_count = layout.vector_count < of_grid ? layout.vector_count : of_grid;
  return right::sum_of_thread(first_round);
}

#include "answer/launch_linked_answer.cuh"
