// refused: wrong-result: the parts are added in the order in which they came, and the bits differ from call to call
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=random CUDASIM_SEED=1 --size 40x30x1000 --factors signed --calls 3
// hint: other-bits
// Each result is within the bound: two calls must be compared.
#include "workbook/student/products/work_partition.h"

__device__ int arrived[1024];  // how many parts of a tile, in all calls together

// The number of the part that this block has, by the time of its arrival.
__device__ std::size_t block_by_arrival(const workbook::products::WorkPartition& work, std::size_t tile) {
  __shared__ int arrival;
  const std::size_t before = tile * work.k_tiles / work.share;
  const std::size_t parts = ((tile + 1) * work.k_tiles - 1) / work.share - before + 1;
  if (threadIdx.x == 0) arrival = atomicAdd(&arrived[tile], 1) % static_cast<int>(parts);
  __syncthreads();
  return before + arrival;
}

#define TARGET                \
  target_of<Shape>(           \
      c, work, tile, k_tiles, \
      partials + place_of_part(work, block_by_arrival(work, tile), 0) - place_of_part(work, blockIdx.x, 0))
#include "answer/multiply_share_but.cuh"
