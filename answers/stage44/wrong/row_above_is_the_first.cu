// refused: wrong-result: each row takes the first row of the halo for the row above it
// SPDX-License-Identifier: MIT
// shown by: --size 20x100
// hint: one-tile
#include "answer/right.cuh"

using namespace right;

__device__ float4 wrong_heated_cells(float rate, const Cells& cells, unsigned r) {
  const float4 above = cells.row[0], centre = cells.row[r + 1], below = cells.row[r + 2];
  float left = __shfl_up_sync(0xffffffffu, centre.w, 1), right = __shfl_down_sync(0xffffffffu, centre.x, 1);
  if (threadIdx.x == 0) left = cells.side[r];
  if (threadIdx.x == kWarp - 1) right = cells.side[r];
  return {heated(rate, centre.x, left, centre.y, above.x, below.x),
          heated(rate, centre.y, centre.x, centre.z, above.y, below.y),
          heated(rate, centre.z, centre.y, centre.w, above.z, below.z),
          heated(rate, centre.w, centre.z, right, above.w, below.w)};
}

#define HEATED_CELLS wrong_heated_cells
#include "answer/kernel.cuh"
