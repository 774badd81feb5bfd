// refused: out-of-bounds: i is a row of the input, and is held against the rows of the output
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8
// hint: outside-global
// For a square nothing is to be seen of it.
#include "answer/without_kernel.cuh"

__global__ void transpose_elements(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  const std::size_t i = std::size_t{blockIdx.x % tiles_down} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x / tiles_down} * blockDim.x + threadIdx.x;
  if (i < output.rows && j < output.columns) {
    output.data[j * output.pitch + i] = input.data[i * input.pitch + j];
  }
}
