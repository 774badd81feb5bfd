// refused: wrong-result: the tile is read as it was written: tiles change places, and what is in them does not
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 16x16
// hint: exchanged
#include "answer/without_kernel.cuh"

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
  __syncthreads();
  if (left + y < output.rows && top + x < output.columns) {
    output.data[(left + y) * output.pitch + top + x] = tile[y * pitch + x];
  }
}
