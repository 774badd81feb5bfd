// refused: wrong-result: the rows of the output are as far apart as its own pitch says
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8
// hint: other-rows
// For a square nothing is to be seen of it.
#include "answer/without_kernel.cuh"

__global__ void transpose_elements(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  const std::size_t i = std::size_t{blockIdx.x % tiles_down} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x / tiles_down} * blockDim.x + threadIdx.x;
  if (i < input.rows && j < input.columns) {
    output.data[j * input.pitch + i] = input.data[i * input.pitch + j];
  }
}
