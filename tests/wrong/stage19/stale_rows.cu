// refused: wrong-result: where A and B end, the tile still holds what the round before left
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x70 --block-size 16x16
#include "../stage19_but_kernel.cuh"

template <unsigned T>
__global__ void __launch_bounds__(T* T)
    multiply_squares(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, unsigned tiles_across) {
  __shared__ float tile_a[kSide * T][T];
  __shared__ float tile_b[T][kSide * T];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t top = std::size_t{blockIdx.x / tiles_across} * (kSide * T);
  const std::size_t left = std::size_t{blockIdx.x % tiles_across} * (kSide * T);
  float sums[kSide][kSide] = {};
  for (std::size_t from = 0; from < a.columns; from += T) {
#pragma unroll
    for (unsigned s = 0; s < kSide; ++s) {
      const unsigned element = y * T + x + s * (T * T);  // of each tile: neighbours bring neighbours
      const unsigned row_a = element / T, column_a = element % T;
      const unsigned row_b = element / (kSide * T), column_b = element % (kSide * T);
      const std::size_t i = top + row_a, j = left + column_b;
      if (i < a.rows && from + column_a < a.columns) tile_a[row_a][column_a] = a.data[i * a.pitch + from + column_a];
      if (from + row_b < b.rows && j < b.columns) tile_b[row_b][column_b] = b.data[(from + row_b) * b.pitch + j];
    }
    __syncthreads();  // both tiles are whole
#pragma unroll
    for (unsigned k = 0; k < T; ++k) {
      float of_a[kSide], of_b[kSide];
#pragma unroll
      for (unsigned s = 0; s < kSide; ++s) {
        of_a[s] = tile_a[y + s * T][k];
        of_b[s] = tile_b[k][x + s * T];
      }
#pragma unroll
      for (unsigned row = 0; row < kSide; ++row) {
#pragma unroll
        for (unsigned column = 0; column < kSide; ++column) sums[row][column] += of_a[row] * of_b[column];
      }
    }
    __syncthreads();  // nobody reads them any more
  }
#pragma unroll
  for (unsigned row = 0; row < kSide; ++row) {
#pragma unroll
    for (unsigned column = 0; column < kSide; ++column) {
      const std::size_t i = top + y + row * T, j = left + x + column * T;
      if (i < c.rows && j < c.columns) c.data[i * c.pitch + j] = sums[row][column];
    }
  }
}
