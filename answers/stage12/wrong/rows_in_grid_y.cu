// refused: failed-launch: the second dimension of a grid ends at 65,535 blocks
// SPDX-License-Identifier: MIT
// shown by: --size 600000x1 --block-size 32x8
// hint: refused-launch
// A matrix for each block x, y looks natural. 524,280 rows are the end of it, with blocks of 8 rows.
#include "workbook/student/matrix.h"

#define copy_on_device right_copy_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef copy_on_device

__global__ void copy_by_two_dimensions(workbook::ConstMatrix input, workbook::Matrix output) {
  const std::size_t i = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < input.rows && j < input.columns) {
    output.data[i * output.pitch + j] = input.data[i * input.pitch + j];
  }
}

void copy_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) {
    return;
  }
  const dim3 blocks(static_cast<unsigned>((input.columns + block.x - 1) / block.x),
                    static_cast<unsigned>((input.rows + block.y - 1) / block.y));
  copy_by_two_dimensions<<<blocks, block, 0, stream>>>(input, output);  // and the code does not ask for the error
}
