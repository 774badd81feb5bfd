// refused: wrong-result: lane 0 and lane 31 take what the shuffle leaves them: a cell of their own
// SPDX-License-Identifier: MIT
// shown by: --size 20x261
// hint: between-tiles
#include "answer/right.cuh"

using namespace right;

__device__ float4 wrong_heated_cells(float rate, const Cells& cells, unsigned r) {
  const float4 above = cells.row[r], centre = cells.row[r + 1], below = cells.row[r + 2];
  const float left = __shfl_up_sync(0xffffffffu, centre.w, 1), right = __shfl_down_sync(0xffffffffu, centre.x, 1);
  return {heated(rate, centre.x, left, centre.y, above.x, below.x),
          heated(rate, centre.y, centre.x, centre.z, above.y, below.y),
          heated(rate, centre.z, centre.y, centre.w, above.z, below.z),
          heated(rate, centre.w, centre.z, right, above.w, below.w)};
}

#define HEATED_CELLS wrong_heated_cells
#include "answer/kernel.cuh"
