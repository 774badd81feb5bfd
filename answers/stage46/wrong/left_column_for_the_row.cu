// refused: wrong-result: a row outside is cut off as if it were a column
// SPDX-License-Identifier: MIT
// shown by: --size 5x70 --reach 3
// hint: small-filter
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_load_tile(ConstMatrix image, int top, int left, unsigned rows, unsigned columns, float* tile) {
  const int last_row = static_cast<int>(image.rows) - 1, last_column = static_cast<int>(image.columns) - 1;
  for (unsigned y = threadIdx.y; y < rows; y += blockDim.y) {
    for (unsigned x = threadIdx.x; x < columns; x += blockDim.x) {
      const int row = top + static_cast<int>(y), column = left + static_cast<int>(x);
      const int nearest_row = min(max(row, 0), last_column), nearest_column = min(max(column, 0), last_column);
      row_of(tile, y)[x] = nearest_row <= last_row ? image.data[nearest_row * image.pitch + nearest_column] : 0.0f;
    }
  }
}

#define LOAD_TILE wrong_load_tile
#include "answer/kernel.cuh"
