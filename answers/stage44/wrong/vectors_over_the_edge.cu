// refused: wrong-result: the last vector of a row is stored as a whole, over what lies behind the row
// SPDX-License-Identifier: MIT
// shown by: --size 20x101
// hint: outside-the-rows
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_store_cells(Matrix output, std::size_t row, std::size_t column, float4 before, float4 after) {
  if (row >= output.rows || column >= output.columns) return;
  if (row == 0 || row + 1 == output.rows) after = before;
  if (column == 0) after.x = before.x;
  if (column + 1 == output.columns) after.x = before.x;
  if (column + 2 == output.columns) after.y = before.y;
  if (column + 3 == output.columns) after.z = before.z;
  if (column + 4 == output.columns) after.w = before.w;
  *reinterpret_cast<float4*>(output.data + row * output.pitch + column) = after;
}

#define STORE_CELLS wrong_store_cells
#include "answer/kernel.cuh"
