// refused: wrong-result: each vector is a row of its own: its first and last cell are their own neighbours
// SPDX-License-Identifier: MIT
// shown by: --size 20x100
// hint: one-tile
#include "answer/right.cuh"

using namespace right;

__device__ float4 wrong_heated_cells(float rate, const Cells& cells, unsigned r) {
  const float4 above = cells.row[r], centre = cells.row[r + 1], below = cells.row[r + 2];
  const float left = centre.x, right = centre.w;
  return {heated(rate, centre.x, left, centre.y, above.x, below.x),
          heated(rate, centre.y, centre.x, centre.z, above.y, below.y),
          heated(rate, centre.z, centre.y, centre.w, above.z, below.z),
          heated(rate, centre.w, centre.z, right, above.w, below.w)};
}

#define HEATED_CELLS wrong_heated_cells
#include "answer/kernel.cuh"
