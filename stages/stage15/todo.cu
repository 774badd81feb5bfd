// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 15 --todo`.
// As handed out: 5f4fa4203fb5. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 15: a transpose, through a padded tile. Each row of the tile is one float longer than it must be. So the
// numbers of a column lie in 32 different banks of the shared memory, and a warp reads them in one pass.
#include <cstddef>

#include "workbook/student/matrix.h"

// Floats from one row of the tile to the next. Float w lies in bank w % 32. With a pitch of 32 all of column y lie in
// bank y, and 32 lanes wait for each other. With 33, row x of column y lies in bank (x + y) % 32.
__host__ __device__ unsigned tile_pitch(unsigned side) {
  // TODO (1 line): what makes the 32 numbers of a column lie in 32 banks?
  return side;  // replace: as in stage 14
}

// Element (i, j) of the input becomes element (j, i) of the output. Launch: a block of T x T threads for each tile of T
// x T elements, in one dimension. All tiles of the first columns come first, and tiles_down of them lie one below the
// other. T * tile_pitch(T) floats of dynamic shared memory. Row y of the tile holds row top + y of the input, from
// column left on. It is read by columns. Column y of the tile is what row left + y of the output holds from column top
// on.
__global__ void transpose_tiles(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  extern __shared__ float tile[];
  const unsigned pitch = tile_pitch(blockDim.x);
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t top = std::size_t{blockIdx.x % tiles_down} * blockDim.x;
  const std::size_t left = std::size_t{blockIdx.x / tiles_down} * blockDim.x;
  if (top + y < input.rows && left + x < input.columns) {
    tile[y * pitch + x] = input.data[(top + y) * input.pitch + left + x];
  }
  __syncthreads();  // other threads have loaded what this one stores
  if (left + y < output.rows && top + x < output.columns) {
    output.data[(left + y) * output.pitch + top + x] = tile[x * pitch + y];
  }
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  WORKBOOK_TODO("write tile_pitch, then delete this line");
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
