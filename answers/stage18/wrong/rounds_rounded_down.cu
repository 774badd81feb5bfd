// refused: wrong-result: the terms behind the last whole tile are lost
// SPDX-License-Identifier: MIT
// shown by: --size 40x72x37 --block-size 16x16
// hint: terms-wrong
// The rounds are n / T, rounded down.
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
  for (std::size_t from = 0; from + kSide <= a.columns; from += kSide) {
    tile_a[y][x] = i < a.rows && from + x < a.columns ? a.data[i * a.pitch + from + x] : 0.0f;
    tile_b[y][x] = from + y < b.rows && j < b.columns ? b.data[(from + y) * b.pitch + j] : 0.0f;
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
