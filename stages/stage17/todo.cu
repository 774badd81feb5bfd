// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 17 --todo`.
// As handed out: e74dfa7c84db. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 17: a matrix product in global memory. One element of C a thread: a row of A times a column of B. What counts
// is how the lanes of a warp lie: along a row of C.
#include <cstddef>

#include "workbook/student/matmul.h"

// Computes c = a * b. Launch: a block for each blockDim.y rows and blockDim.x columns of C. The grid has one dimension,
// as a second one ends at 65,535. All blocks of the first rows come first, and tiles_across of them lie side by side.
// In step k the lanes of a warp have one row and 32 columns of C. They read one element of A, all the same (1 sector),
// and 32 elements of row k of B, side by side (4 sectors).
__global__ void multiply_elements(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                  unsigned tiles_across) {
  // TODO (roughly 8 lines): row i comes from blockIdx.x / tiles_across and threadIdx.y, column j from blockIdx.x %
  //     tiles_across and threadIdx.x. Both are std::size_t. There is nothing to do outside of C. Compute the sum of
  //     a(i, k) * b(k, j) in a float, k from 0 to a.columns. Each matrix has its own pitch.
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
  WORKBOOK_TODO("write multiply_elements and its grid, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  // TODO (roughly 2 lines): how many blocks lie side by side, and one below the other: rounded up in whole numbers.
  const std::size_t tiles_across = 1, tiles_down = 1;  // replace
  multiply_elements<<<static_cast<unsigned>(tiles_across * tiles_down), block, 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}
