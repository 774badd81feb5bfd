// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 14 --todo`.
// As handed out: 7b577fd34406. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 14: a transpose, through a tile in shared memory. A block reads a square of the input row by row. It writes the
// square column by column, as rows of the output. The lanes of a warp are side by side in both. Only the walk through
// shared memory is strided.
#include <cstddef>

#include "workbook/student/matrix.h"

// Floats from one row of the tile to the next.
__host__ __device__ unsigned tile_pitch(unsigned side) { return side; }

// Element (i, j) of the input becomes element (j, i) of the output. Launch: a block of T x T threads for each tile of T
// x T elements, in one dimension. All tiles of the first columns come first, and tiles_down of them lie one below the
// other. T * tile_pitch(T) floats of dynamic shared memory. Row y of the tile holds row top + y of the input, from
// column left on. It is read by columns. Column y of the tile is what row left + y of the output holds from column top
// on.
__global__ void transpose_tiles(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  // TODO (roughly 11 lines): thread (x, y) loads element (top + y, left + x) of the input, if there is one, into row
  //     y of the tile. Then a barrier for all threads. Then it stores element (left + y, top + x) of the output, if
  //     there is one, from column y of the tile. Note that `top` and `left` change places, and so do the bounds; x and
  //     y do not.
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  WORKBOOK_TODO("write transpose_tiles, then delete this line");
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t tiles_down = (input.rows + block.x - 1) / block.x;
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  const std::size_t tile_bytes = block.x * tile_pitch(block.x) * sizeof(float);
  transpose_tiles<<<static_cast<unsigned>(tiles_down * tiles_across), block, tile_bytes, stream>>>(
      input, output, static_cast<unsigned>(tiles_down));
  CUDA_CHECK(cudaGetLastError());
}
