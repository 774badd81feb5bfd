// SPDX-License-Identifier: MIT
// The kernel of stage 44, for wrong kernels that change what it calls. The including file may define LOAD_CELLS,
// HEATED_CELLS or STORE_CELLS as the name of its own function.
#ifndef LOAD_CELLS
#define LOAD_CELLS load_cells
#endif
#ifndef HEATED_CELLS
#define HEATED_CELLS heated_cells
#endif
#ifndef STORE_CELLS
#define STORE_CELLS store_cells
#endif

__global__ void step_tiles_by_wrong_parts(ConstMatrix input, Matrix output, float rate) {
  const std::size_t top = (std::size_t{blockIdx.y} * blockDim.y + threadIdx.y) * kRows;
  const std::size_t column = std::size_t{blockIdx.x} * kColumns + kCells * threadIdx.x;
  const Cells cells = LOAD_CELLS(input, top, column);
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    STORE_CELLS(output, top + r, column, cells.row[r + 1], HEATED_CELLS(rate, cells, r));
  }
}

#define STEP_TILES step_tiles_by_wrong_parts
#include "launch.cuh"
#undef LOAD_CELLS
#undef HEATED_CELLS
#undef STORE_CELLS
