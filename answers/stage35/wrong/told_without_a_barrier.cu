// refused: race: a block counts its tile as written when its first thread has stored its part
// SPDX-License-Identifier: MIT
// shown by: --size 18000
// hint: release-of-another
#include "passes.cuh"

struct Wrong {};
__device__ void count_tile(Wrong, const Passes& passes, const MergedTile& tile);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define count_tile(...) count_tile(Wrong(), __VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef count_tile

__device__ void count_tile(Wrong, const Passes& passes, const MergedTile& tile) {
  if (tile.pass + 1 < passes.count && threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> written(
        passes.tiles_written(tile.pass + 1, tile.begin / (4 * tile.run)));
    written.fetch_add(1, cuda::memory_order_release);
  }
}
