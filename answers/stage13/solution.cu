// SPDX-License-Identifier: MIT
// Stage 13: a transpose, naive. One element a thread, from row i and column j to row j and column i. Lanes side by side
// read numbers side by side, and write numbers that lie a whole row apart.
#include <cstddef>

#include "workbook/student/matrix.h"

// Element (i, j) of the input becomes element (j, i) of the output. Launch: a block for each blockDim.y rows and
// blockDim.x columns of the input. The grid has one dimension, as a second one ends at 65,535. All blocks of the first
// columns come first, and tiles_down of them lie one below the other. A warp's load is 32 numbers of one row: 128
// bytes, 4 sectors. Its store is one number of 32 rows each: 32 sectors, of which 4 bytes are used.
__global__ void transpose_elements(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  // BEGIN SOLUTION: i from blockIdx.x % tiles_down and threadIdx.y, j from blockIdx.x / tiles_down and
  //     threadIdx.x, both in std::size_t. The last blocks reach over the edges. Each matrix has its own pitch.
  const std::size_t i = std::size_t{blockIdx.x % tiles_down} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x / tiles_down} * blockDim.x + threadIdx.x;
  if (i < input.rows && j < input.columns) {
    output.data[j * output.pitch + i] = input.data[i * input.pitch + j];
  }
  // END SOLUTION
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write transpose_elements and its grid, then delete this line");
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  // BEGIN SOLUTION: how many blocks lie one below the other, and side by side: rounded up in whole numbers.
  // UNTIL SOLVED: const std::size_t tiles_down = 1, tiles_across = 1;  // replace
  const std::size_t tiles_down = (input.rows + block.y - 1) / block.y;
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  // END SOLUTION
  transpose_elements<<<static_cast<unsigned>(tiles_down * tiles_across), block, 0, stream>>>(
      input, output, static_cast<unsigned>(tiles_down));
  CUDA_CHECK(cudaGetLastError());
}
