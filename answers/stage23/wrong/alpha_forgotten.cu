// refused: wrong-result: on one of two ways to C the sum is not multiplied by alpha
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x3000 --alpha 2
// hint: wrong-elements
// Right where no tile is cut.
#include "answer/without_add_parts.cuh"

__global__ void __launch_bounds__(kAddingWarps* kWarp)
    add_parts(workbook::Matrix c, Scale scale, WorkPartition work, const float* partials, int sharers) {
  __shared__ float4 of_warp[kAddingWarps][kWarp];
  constexpr int kNumbers = kWarp * kVector;
  const int groups_of_tile = work.tile_height * work.tile_width / kNumbers;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int group = static_cast<int>(blockIdx.x) * (kAddingWarps / sharers) + warp / sharers;
  const std::size_t tile = group / groups_of_tile;
  const int place = group % groups_of_tile * kNumbers + lane * kVector;
  const std::size_t first = tile * work.k_tiles / work.share;
  const std::size_t parts = ((tile + 1) * work.k_tiles - 1) / work.share - first + 1;
  if (tile >= work.tiles() || parts == 1) return;  // the same for all warps that share: no warp waits for them

  const int sharer = warp % sharers;
  float4 sum{};
  const std::size_t end = first + parts * (sharer + 1) / sharers;
#pragma unroll 8
  for (std::size_t block = first + parts * sharer / sharers; block < end; ++block) {
    const auto* const from = reinterpret_cast<const float4*>(partials + place_of_part(work, block, tile) + place);
    add(sum, __ldcg(from));
  }
  if (sharers > 1) {
    of_warp[warp][lane] = sum;
    __syncthreads();
    if (sharer > 0) return;
    for (int other = 1; other < sharers; ++other) add(sum, of_warp[other][lane]);
  }
  const Corner corner = corner_of(work, static_cast<int>(tile));
  store_four(c, {1.0f, scale.beta}, is_whole(c, work, corner), corner.top + place / work.tile_width,
             corner.left + place % work.tile_width, sum);
}
