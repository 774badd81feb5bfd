// refused: race: a block counts its tile as written, and promises nothing of what it has written
// SPDX-License-Identifier: MIT
// shown by: --size 18000
// hint: race-between-blocks
#include "passes.cuh"

struct Wrong {};
__device__ void count_tile(Wrong, const Passes& passes, const MergedTile& tile);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define count_tile(...) count_tile(Wrong(), __VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef count_tile

__device__ void count_tile(Wrong, const Passes& passes, const MergedTile& tile) {
  if (tile.pass + 1 < passes.count) {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&passes.tiles_written(tile.pass + 1, tile.begin / (4 * tile.run)), 1u);
    }
  }
}
