// refused: out-of-bounds: the last tile reaches over the end of the rows of A and behind the last row of B
// SPDX-License-Identifier: MIT
// shown by: --size 40x72x37 --block-size 16x16
#include "../stage18_but_kernel.cuh"

__global__ void multiply_tiles(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                               unsigned tiles_across) {
  extern __shared__ float tiles[];
  const unsigned side = blockDim.x;
  float* const tile_a = tiles;
  float* const tile_b = tiles + side * side;
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t i = std::size_t{blockIdx.x / tiles_across} * side + y;
  const std::size_t j = std::size_t{blockIdx.x % tiles_across} * side + x;
  float sum = 0.0f;
  for (std::size_t from = 0; from < a.columns; from += side) {
    tile_a[y * side + x] = i < a.rows ? a.data[i * a.pitch + from + x] : 0.0f;
    tile_b[y * side + x] = j < b.columns ? b.data[(from + y) * b.pitch + j] : 0.0f;
    __syncthreads();  // both tiles are whole
    for (unsigned k = 0; k < side; ++k) {
      sum += tile_a[y * side + k] * tile_b[k * side + x];
    }
    __syncthreads();  // nobody reads them any more
  }
  if (i < c.rows && j < c.columns) {
    c.data[i * c.pitch + j] = sum;
  }
}
