// refused: race: a pass waits for the tiles of the first run of its pair alone
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 20480
// hint: race-between-blocks
#include "passes.cuh"

template <class Tile>
__device__ void wait_for_pair(const Passes& passes, const MergedTile& tile);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define wait_for_pair(...) right_wait_for_pair(__VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef wait_for_pair

template <class Tile>
__device__ void wait_for_pair(const Passes& passes, const MergedTile& tile) {
  if (tile.pass > 0) {
    const auto tiles = static_cast<unsigned>(divide_up(tile.b - tile.a, Tile::kSize));
    const cuda::atomic_ref<unsigned, cuda::thread_scope_device> written(
        passes.tiles_written(tile.pass, tile.a / (2 * tile.run)));
    while (written.load(cuda::memory_order_acquire) < tiles) {
    }
  }
}
