// refused: out-of-bounds: the rows of the tile are 32 numbers apart, and there is room for 16
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 16x16
// hint: outside-shared
// A size of the block that stands in the kernel, and another one in the launch.
#include "answer/without_kernel.cuh"

__global__ void transpose_tiles(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  extern __shared__ float tile[];
  const unsigned pitch = 32;
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t top = std::size_t{blockIdx.x % tiles_down} * blockDim.x;
  const std::size_t left = std::size_t{blockIdx.x / tiles_down} * blockDim.x;
  if (top + y < input.rows && left + x < input.columns) {
    tile[y * pitch + x] = input.data[(top + y) * input.pitch + left + x];
  }
  __syncthreads();
  if (left + y < output.rows && top + x < output.columns) {
    output.data[(left + y) * output.pitch + top + x] = tile[x * pitch + y];
  }
}
