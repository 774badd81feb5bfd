// refused: out-of-bounds: the last blocks reach over the edges
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8
// hint: outside-global
#include "answer/without_kernel.cuh"

__global__ void transpose_elements(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  const std::size_t i = std::size_t{blockIdx.x % tiles_down} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x / tiles_down} * blockDim.x + threadIdx.x;
  output.data[j * output.pitch + i] = input.data[i * input.pitch + j];
}
