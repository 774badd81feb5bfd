// SPDX-License-Identifier: MIT
// Stage 18: a matrix product through tiles in shared memory. A block of T x T threads computes a tile of C. For each T
// terms of its sums it brings one tile of A and one of B into shared memory, and every element of them is used T times.
#include <cstddef>

#include "workbook/matmul.h"

// Computes c = a * b. Launch: a block of T x T threads for each tile of T x T elements of C, in one dimension; all
// tiles of the first rows come first. tiles_across: how many lie side by side. 2 * T * T floats of dynamic shared
// memory.
//   Row y of tile_a is row top + y of A, from column `from` on; row y of tile_b is row from + y of B, from column
//   `left` on. What lies outside of A or B is 0 there, and adds nothing. So global memory is read once in T terms,
//   where stage 17 reads it in each.
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
  // BEGIN SOLUTION: for `from` = 0, side, 2 * side, ... below a.columns: this thread's element of each tile, or
  //     0 where the matrix has none; a barrier; the sum of side terms from row y of tile_a and column x of tile_b; a
  //     barrier, before anybody loads the next tiles. All threads of the block take part in every round.
  for (std::size_t from = 0; from < a.columns; from += side) {
    tile_a[y * side + x] = i < a.rows && from + x < a.columns ? a.data[i * a.pitch + from + x] : 0.0f;
    tile_b[y * side + x] = from + y < b.rows && j < b.columns ? b.data[(from + y) * b.pitch + j] : 0.0f;
    __syncthreads();  // both tiles are whole
    for (unsigned k = 0; k < side; ++k) {
      sum += tile_a[y * side + k] * tile_b[k * side + x];
    }
    __syncthreads();  // nobody reads them any more
  }
  // END SOLUTION
  if (i < c.rows && j < c.columns) {
    c.data[i * c.pitch + j] = sum;
  }
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the rounds of multiply_tiles, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t tiles_across = (c.columns + block.x - 1) / block.x;
  const std::size_t tiles_down = (c.rows + block.y - 1) / block.y;
  const std::size_t tile_bytes = 2 * block.x * block.x * sizeof(float);
  multiply_tiles<<<static_cast<unsigned>(tiles_across * tiles_down), block, tile_bytes, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}
