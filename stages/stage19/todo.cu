// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 19 --todo`.
// As handed out: c0aa0a32b30a. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 19: a matrix product with a square of C a thread. The tiles of stage 18 hold more than one element a thread,
// and so does the thread: 8 x 8 sums in registers. In each term it reads 8 numbers of A and 8 of B from shared memory,
// and makes 64 multiply-adds of them.
#include <cstddef>

#include "workbook/matmul.h"

constexpr unsigned kSide = 8;  // of a thread's square of C

// Computes c = a * b. Launch: a block of T x T threads for each tile of 8T x 8T elements of C, in one dimension; all
// tiles of the first rows come first. tiles_across: how many lie side by side. 16 * T * T floats of dynamic shared
// memory.
//   Row r of tile_a is row top + r of A, T numbers of it from column `from` on; row r of tile_b is row from + r of B,
//   8T numbers from column `left` on. The rows of a thread's square are y, y + T, y + 2T, ... of the tile, its columns
//   x, x + T, ...: so lanes side by side read and store numbers side by side.
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
      tile_a[row_a][column_a] =
          i < a.rows && from + column_a < a.columns ? a.data[i * a.pitch + from + column_a] : 0.0f;
      tile_b[row_b][column_b] = from + row_b < b.rows && j < b.columns ? b.data[(from + row_b) * b.pitch + j] : 0.0f;
    }
    __syncthreads();  // both tiles are whole
    // TODO (roughly 11 lines): for each of the T terms: the 8 numbers of tile_a that belong to this thread's rows, and
    //     the 8 of tile_b that belong to its columns, into registers; then all 64 products into the sums.
    __syncthreads();  // nobody reads them any more
  }
#pragma unroll
  for (unsigned row = 0; row < kSide; ++row) {
#pragma unroll
    for (unsigned column = 0; column < kSide; ++column) {
      const std::size_t i = top + y + row * T, j = left + x + column * T;
      // TODO (1 line): the sum goes to element (i, j) of C, if there is one.
    }
  }
}

template <unsigned T>
void launch_squares(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, cudaStream_t stream) {
  constexpr std::size_t kTile = kSide * T;
  const std::size_t tiles_across = (c.columns + kTile - 1) / kTile;
  const std::size_t tiles_down = (c.rows + kTile - 1) / kTile;
  multiply_squares<T><<<static_cast<unsigned>(tiles_across * tiles_down), dim3(T, T), 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
  WORKBOOK_TODO("write the terms and the stores of multiply_squares, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (block.x == 16) {
    launch_squares<16>(a, b, c, stream);
  } else {
    launch_squares<8>(a, b, c, stream);
  }
}
