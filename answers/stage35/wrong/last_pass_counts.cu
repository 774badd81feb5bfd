// refused: not-the-step: the last pass counts its tiles too, behind the counters, and nobody waits for them
// SPDX-License-Identifier: MIT
// hint: step-last-pass
#include "passes.cuh"

struct Wrong {};
__device__ void count_tile(Wrong, const Passes& passes, const MergedTile& tile);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define count_tile(...) count_tile(Wrong(), __VA_ARGS__)
#include "../solution.cu"
#undef count_tile

__device__ void count_tile(Wrong, const Passes& passes, const MergedTile& tile) {
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> written(
        passes.tiles_written(tile.pass + 1, tile.begin / (4 * tile.run)));
    written.fetch_add(1, cuda::memory_order_release);
  }
}
