// refused: wrong-result: where A and B end, the tile still holds what the round before left
// SPDX-License-Identifier: MIT
// shown by: --size 40x72x37 --block-size 16x16
// hint: shared-not-written
#include "answer/without_kernel.cuh"

template <unsigned kSide>
__global__ void multiply_tiles(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                               unsigned tiles_across) {
  __shared__ float tile_a[kSide][kSide], tile_b[kSide][kSide];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * kSide + y;
  const std::size_t j = std::size_t{blockIdx.x % tiles_across} * kSide + x;
  float sum = 0.0f;
  for (std::size_t from = 0; from < a.columns; from += kSide) {
    if (i < a.rows && from + x < a.columns) tile_a[y][x] = a.data[i * a.pitch + from + x];
    if (from + y < b.rows && j < b.columns) tile_b[y][x] = b.data[(from + y) * b.pitch + j];
    __syncthreads();  // both tiles are whole
    for (unsigned k = 0; k < kSide; ++k) {
      sum += tile_a[y][k] * tile_b[k][x];
    }
    __syncthreads();  // no thread reads them any more
  }
  if (i < c.rows && j < c.columns) {
    c.data[i * c.pitch + j] = sum;
  }
}
