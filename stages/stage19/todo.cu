// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 19 --todo`.
// As handed out: cc94ef6b999b. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 19: a matrix product with a square of C a thread. The tiles of stage 18 hold more than one element a thread,
// and so does the thread: 8 x 8 sums in registers. In each term it reads 8 numbers of A and 8 of B from shared memory,
// and makes 64 multiply-adds of them.
#include <cstddef>

#include "workbook/student/matmul.h"

constexpr unsigned kSide = 8;  // of a thread's square of C

// The tiles of one round of T terms. Row r of `a` is row top + r of A, T numbers of it from column `from` on. Row r of
// `b` is row from + r of B, 8T numbers from column `left` on.
template <unsigned T>
struct Tiles {
  static constexpr unsigned kTerms = T, kSize = kSide * T;
  float a[kSize][kTerms];
  float b[kTerms][kSize];
};

// Each thread brings eight numbers of each tile, and neighbours bring neighbours.
template <unsigned T>
__device__ void bring_tiles(Tiles<T>& tiles, workbook::ConstMatrix a, workbook::ConstMatrix b, std::size_t top,
                            std::size_t left, std::size_t from) {
#pragma unroll
  for (unsigned s = 0; s < kSide; ++s) {
    const unsigned element = threadIdx.y * T + threadIdx.x + s * (T * T);
    const unsigned row_a = element / Tiles<T>::kTerms, column_a = element % Tiles<T>::kTerms;
    const unsigned row_b = element / Tiles<T>::kSize, column_b = element % Tiles<T>::kSize;
    const std::size_t i = top + row_a, j = left + column_b;
    tiles.a[row_a][column_a] = i < a.rows && from + column_a < a.columns ? a.data[i * a.pitch + from + column_a] : 0.0f;
    tiles.b[row_b][column_b] = from + row_b < b.rows && j < b.columns ? b.data[(from + row_b) * b.pitch + j] : 0.0f;
  }
}

// All terms of a round. The rows of a thread's square are y, y + T, y + 2T, ... of the tile. Its columns are x, x + T,
// ... . So lanes side by side read numbers side by side.
template <unsigned T>
__device__ void add_products(float (&sums)[kSide][kSide], const Tiles<T>& tiles) {
  // TODO (roughly 11 lines): for each of the terms: read into registers the 8 numbers of tiles.a that belong to this
  //     thread's rows. Do the same with the 8 numbers of tiles.b that belong to its columns. Then add all 64 products
  //     to the sums.
}

template <unsigned T>
__device__ void store_square(workbook::Matrix c, std::size_t top, std::size_t left, const float (&sums)[kSide][kSide]) {
#pragma unroll
  for (unsigned row = 0; row < kSide; ++row) {
#pragma unroll
    for (unsigned column = 0; column < kSide; ++column) {
      const std::size_t i = top + threadIdx.y + row * T, j = left + threadIdx.x + column * T;
      // TODO (1 line): the sum goes to element (i, j) of C, if there is one.
    }
  }
}

// Computes c = a * b. Launch: a block of T x T threads for each tile of 8T x 8T elements of C, in one dimension. All
// tiles of the first rows come first, and tiles_across of them lie side by side.
template <unsigned T>
__global__ void __launch_bounds__(T* T)
    multiply_squares(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, unsigned tiles_across) {
  __shared__ Tiles<T> tiles;
  const std::size_t top = std::size_t{blockIdx.x / tiles_across} * Tiles<T>::kSize;
  const std::size_t left = std::size_t{blockIdx.x % tiles_across} * Tiles<T>::kSize;
  float sums[kSide][kSide] = {};
  for (std::size_t from = 0; from < a.columns; from += Tiles<T>::kTerms) {
    bring_tiles<T>(tiles, a, b, top, left, from);
    __syncthreads();  // both tiles are whole
    add_products<T>(sums, tiles);
    __syncthreads();  // no thread reads them any more
  }
  store_square<T>(c, top, left, sums);
}

template <unsigned T>
void launch_squares(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, cudaStream_t stream) {
  constexpr std::size_t kSize = Tiles<T>::kSize;
  const std::size_t tiles_across = (c.columns + kSize - 1) / kSize;
  const std::size_t tiles_down = (c.rows + kSize - 1) / kSize;
  multiply_squares<T><<<static_cast<unsigned>(tiles_across * tiles_down), dim3(T, T), 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
  WORKBOOK_TODO("write add_products and store_square, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (block.x == 16) {
    launch_squares<16>(a, b, c, stream);
  } else {
    launch_squares<8>(a, b, c, stream);
  }
}
