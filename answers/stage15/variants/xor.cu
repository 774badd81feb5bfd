// SPDX-License-Identifier: MIT
// Variant: no padding, but an XOR. In row y of the tile the number of column x lies at x ^ y. For one y that is a
// permutation of the row. Down a column, x ^ y is another one in each row, so another bank.
// To expect: no conflicts, as with padding, in a tile whose size is a power of two, for any T. (Padding leaves a few
// for T = 8 and 16.) It costs an instruction more on each side. The tile stays a multiple of 16 bytes in each row,
// which stage 16 needs.
#include <cstddef>

#include "workbook/student/matrix.h"

// Where the tile, T x T with T a power of two, holds the number of row y and column x.
__device__ unsigned place(unsigned y, unsigned x) { return y * blockDim.x + (x ^ y); }

// Element (i, j) of the input becomes element (j, i) of the output. Launch: a block of T x T threads for each tile of T
// x T elements, in one dimension. All tiles of the first columns come first, and tiles_down of them lie one below the
// other. T * T floats of dynamic shared memory. Row y of the tile holds row top + y of the input, from column left on.
// It is read by columns. Column y of the tile is what row left + y of the output holds from column top on.
__global__ void transpose_tiles(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  extern __shared__ float tile[];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t top = std::size_t{blockIdx.x % tiles_down} * blockDim.x;
  const std::size_t left = std::size_t{blockIdx.x / tiles_down} * blockDim.x;
  if (top + y < input.rows && left + x < input.columns) {
    tile[place(y, x)] = input.data[(top + y) * input.pitch + left + x];
  }
  __syncthreads();  // other threads have loaded what this one stores
  if (left + y < output.rows && top + x < output.columns) {
    output.data[(left + y) * output.pitch + top + x] = tile[place(x, y)];
  }
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t tiles_down = (input.rows + block.x - 1) / block.x;
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  const std::size_t tile_bytes = block.x * block.x * sizeof(float);
  transpose_tiles<<<static_cast<unsigned>(tiles_down * tiles_across), block, tile_bytes, stream>>>(
      input, output, static_cast<unsigned>(tiles_down));
  CUDA_CHECK(cudaGetLastError());
}
