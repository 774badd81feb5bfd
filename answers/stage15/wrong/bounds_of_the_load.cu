// refused: out-of-bounds: the store asks for the bounds of the load, and the tile has turned
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 16x16
// hint: outside-global
// At the lower edge a whole tile of the input is a part of one in the output. At the right edge it is the other way
// round. One kernel in the samples of a well-known toolkit has this mistake.
#include "answer/without_kernel.cuh"

__global__ void transpose_tiles(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down,
                                unsigned pitch) {
  extern __shared__ float tile[];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t top = std::size_t{blockIdx.x % tiles_down} * blockDim.x;
  const std::size_t left = std::size_t{blockIdx.x / tiles_down} * blockDim.x;
  if (top + y < input.rows && left + x < input.columns) {
    tile[y * pitch + x] = input.data[(top + y) * input.pitch + left + x];
  }
  __syncthreads();
  if (top + y < input.rows && left + x < input.columns) {
    output.data[(left + y) * output.pitch + top + x] = tile[x * pitch + y];
  }
}
