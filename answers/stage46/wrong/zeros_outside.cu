// refused: wrong-result: outside of the image there is black, and not the last pixel
// SPDX-License-Identifier: MIT
// shown by: --size 64x128 --reach 1
// hint: small-filter
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_load_tile(ConstMatrix image, int top, int left, unsigned rows, unsigned columns, float* tile) {
  const int last_row = static_cast<int>(image.rows) - 1, last_column = static_cast<int>(image.columns) - 1;
  for (unsigned y = threadIdx.y; y < rows; y += blockDim.y) {
    for (unsigned x = threadIdx.x; x < columns; x += blockDim.x) {
      const int row = top + static_cast<int>(y), column = left + static_cast<int>(x);
      const bool is_inside = row >= 0 && row <= last_row && column >= 0 && column <= last_column;
      row_of(tile, y)[x] = is_inside ? image.data[row * image.pitch + column] : 0.0f;
    }
  }
}

#define LOAD_TILE wrong_load_tile
#include "answer/kernel.cuh"
