// refused: wrong-result: a tile of 32 x 32 in a block of 32 x 8: no thread loads the other 24 rows of it
// SPDX-License-Identifier: MIT
// shown by: --size 64x64 --block-size 32x8
// hint: blocks-store-one-element
// A tile of 32 x 32 fits a block of 32 x 32, and no other.
#include "answer/without_kernel.cuh"

__global__ void transpose_elements(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  __shared__ float tile[32][32 + 1];
  const std::size_t block_i = blockIdx.x % tiles_down;
  const std::size_t block_j = blockIdx.x / tiles_down;
  const std::size_t i = block_i * blockDim.y + threadIdx.y;
  const std::size_t j = block_j * blockDim.x + threadIdx.x;
  if (i < input.rows && j < input.columns) {
    tile[threadIdx.y][threadIdx.x] = input.data[i * input.pitch + j];
  }
  __syncthreads();
  const std::size_t to_i = block_j * blockDim.x + threadIdx.y;
  const std::size_t to_j = block_i * blockDim.y + threadIdx.x;
  if (to_i < output.rows && to_j < output.columns) {
    output.data[to_i * output.pitch + to_j] = tile[threadIdx.x][threadIdx.y];
  }
}
