// refused: wrong-result: `from` is an element already, and is multiplied by the side again
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x64 --block-size 16x16
// hint: terms-wrong
// A printed book had the step of a tile twice in its index. Here what lies outside is zero, so nothing else tells.
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
    tile_a[y][x] = i < a.rows && from * kSide + x < a.columns ? a.data[i * a.pitch + from * kSide + x] : 0.0f;
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
