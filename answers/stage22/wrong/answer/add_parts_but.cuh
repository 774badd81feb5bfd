// SPDX-License-Identifier: MIT
// The kernel add_parts of stage 22's answer, with one mistake, for the answer's other functions. The file that includes
// this defines one of the macros.
#ifndef LAST_PART  // behind it
#define LAST_PART parts.first + parts.count*(sharer + 1) / sharers
#endif
#ifndef PLACE_OF_PART
#define PLACE_OF_PART place_of_part(work, block, tile)
#endif
#ifndef EXISTS
#define EXISTS i < c.rows&& j + n < c.columns
#endif
#ifndef WRONG
#define WRONG add_parts
#include "without_one_function.cuh"
#endif

__global__ void __launch_bounds__(kAddingWarps* kWarp)
    add_parts(Matrix c, WorkPartition work, const float* partials, int sharers) {
  __shared__ float4 of_warp[kAddingWarps][kWarp];
  constexpr int kNumbers = kWarp * kVector;
  const int groups_of_tile = work.tile_height * work.tile_width / kNumbers;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int group = static_cast<int>(blockIdx.x) * (kAddingWarps / sharers) + warp / sharers;
  const std::size_t tile = group / groups_of_tile;
  const int place = group % groups_of_tile * kNumbers + lane * kVector;
  const Parts parts = parts_of(work, tile);
  if (tile >= work.tiles() || parts.count == 1) return;

  const int sharer = warp % sharers;
  float4 sum{};
  const std::size_t end = LAST_PART;
  for (std::size_t block = parts.first + parts.count * sharer / sharers; block < end; ++block) {
    add(sum, __ldcg(reinterpret_cast<const float4*>(partials + PLACE_OF_PART + place)));
  }
  if (sharers > 1) {
    of_warp[warp][lane] = sum;
    __syncthreads();
    if (sharer > 0) return;
    for (int other = 1; other < sharers; ++other) add(sum, of_warp[other][lane]);
  }
  const Corner corner = corner_of(work, static_cast<int>(tile));
  const std::size_t i = corner.top + place / work.tile_width, j = corner.left + place % work.tile_width;
  const float numbers[kVector] = {sum.x, sum.y, sum.z, sum.w};
  for (int n = 0; n < kVector; ++n) {
    if (EXISTS) c.data[i * c.pitch + j + n] = numbers[n];
  }
}
#undef LAST_PART
#undef PLACE_OF_PART
#undef EXISTS
