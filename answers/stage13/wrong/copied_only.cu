// refused: wrong-result: row and column have changed their names, and not their places
// SPDX-License-Identifier: MIT
// shown by: --size 64x64 --block-size 32x8
// hint: input-in-place
// A copy. A widely used collection of kernels has it: its "rows to columns" is the same as its "columns to rows".
#include "answer/without_kernel.cuh"

__global__ void transpose_elements(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  const std::size_t i = std::size_t{blockIdx.x % tiles_down} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x / tiles_down} * blockDim.x + threadIdx.x;
  if (i < input.rows && j < input.columns) {
    output.data[i * output.pitch + j] = input.data[i * input.pitch + j];
  }
}
