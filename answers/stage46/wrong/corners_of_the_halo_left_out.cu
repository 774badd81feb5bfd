// refused: uninitialised: the halo has no corners
// SPDX-License-Identifier: MIT
// shown by: --size 200x300 --reach 2
// hint: shared-not-written
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_load_tile(ConstMatrix image, int top, int left, unsigned rows, unsigned columns, float* tile) {
  const int last_row = static_cast<int>(image.rows) - 1, last_column = static_cast<int>(image.columns) - 1;
  for (unsigned y = threadIdx.y; y < rows; y += blockDim.y) {
    for (unsigned x = threadIdx.x; x < columns; x += blockDim.x) {
      const int row = top + static_cast<int>(y), column = left + static_cast<int>(x);
      const int reach = static_cast<int>(rows - kRows * blockDim.y) / 2;
      const bool is_above_or_below = static_cast<int>(y) < reach || y >= rows - reach;
      const bool is_beside = static_cast<int>(x) < reach || x >= kColumns + reach;
      if (is_above_or_below && is_beside) continue;
      const int nearest_row = min(max(row, 0), last_row), nearest_column = min(max(column, 0), last_column);
      row_of(tile, y)[x] = image.data[nearest_row * image.pitch + nearest_column];
    }
  }
}

#define LOAD_TILE wrong_load_tile
#include "answer/kernel.cuh"
