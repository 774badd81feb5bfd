// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 13 --todo`.
// As handed out: 2d8ab8a7c853. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 13: a transpose, naive. One element a thread, from row i and column j to row j and column i. Lanes side by side
// read numbers side by side, and write numbers that lie a whole row apart.
#include <cstddef>

#include "workbook/student/matrix.h"

// Element (i, j) of the input becomes element (j, i) of the output. Launch: a block for each blockDim.y rows and
// blockDim.x columns of the input. The grid has one dimension, as a second one ends at 65,535. All blocks of the first
// columns come first, and tiles_down of them lie one below the other. A warp's load is 32 numbers of one row: 128
// bytes, 4 sectors. Its store is one number of 32 rows each: 32 sectors, of which 4 bytes are used.
__global__ void transpose_elements(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  // TODO (roughly 4 lines): i from blockIdx.x % tiles_down and threadIdx.y, j from blockIdx.x / tiles_down and
  //     threadIdx.x, both in std::size_t. The last blocks reach over the edges. Each matrix has its own pitch.
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  WORKBOOK_TODO("write transpose_elements and its grid, then delete this line");
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  // TODO (roughly 2 lines): how many blocks lie one below the other, and side by side: rounded up in whole numbers.
  const std::size_t tiles_down = 1, tiles_across = 1;  // replace
  transpose_elements<<<static_cast<unsigned>(tiles_down * tiles_across), block, 0, stream>>>(
      input, output, static_cast<unsigned>(tiles_down));
  CUDA_CHECK(cudaGetLastError());
}
