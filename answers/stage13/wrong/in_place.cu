// refused: race: two threads swap the same pair, and each reads what the other has written, or not yet
// SPDX-License-Identifier: MIT
// shown by: --size 64x64 --block-size 32x8
// hint: race-between-blocks
#include "workbook/student/matrix.h"

#define transpose_on_device right_transpose_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef transpose_on_device

// In a square each pair of (i, j) and (j, i) needs one thread, and here it has two.
__global__ void swap_pairs(workbook::Matrix matrix, unsigned tiles_down) {
  const std::size_t i = std::size_t{blockIdx.x % tiles_down} * blockDim.y + threadIdx.y;
  const std::size_t j = std::size_t{blockIdx.x / tiles_down} * blockDim.x + threadIdx.x;
  if (i < matrix.rows && j < matrix.columns) {
    const float above = matrix.data[i * matrix.pitch + j];
    matrix.data[i * matrix.pitch + j] = matrix.data[j * matrix.pitch + i];
    matrix.data[j * matrix.pitch + i] = above;
  }
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  if (input.rows != input.columns) {
    right_transpose_on_device(input, output, block, stream);
    return;
  }
  const std::size_t tiles_down = (input.rows + block.y - 1) / block.y;
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  CUDA_CHECK(cudaMemcpy2DAsync(output.data, output.pitch * sizeof(float), input.data, input.pitch * sizeof(float),
                               input.columns * sizeof(float), input.rows, cudaMemcpyDeviceToDevice, stream));
  swap_pairs<<<static_cast<unsigned>(tiles_down * tiles_across), block, 0, stream>>>(output,
                                                                                     static_cast<unsigned>(tiles_down));
  CUDA_CHECK(cudaGetLastError());
}
