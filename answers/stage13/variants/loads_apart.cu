// SPDX-License-Identifier: MIT
// Variant: lanes side by side in the output. So the loads of a warp lie a row apart, and its stores are side by side.
// To expect: as many sectors, loads for stores. The L1 cache can keep the sectors of loads for the other warps of the
// block, which want their neighbours. So it may take much less time.
#include <cstddef>

#include "workbook/student/matrix.h"

// Element (i, j) of the input becomes element (j, i) of the output. Launch: a block for each blockDim.x rows and
// blockDim.y columns of the input, in one dimension. All blocks of the first columns come first, and tiles_down of them
// lie one below the other.
__global__ void transpose_elements(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down) {
  const std::size_t i = std::size_t{blockIdx.x % tiles_down} * blockDim.x + threadIdx.x;
  const std::size_t j = std::size_t{blockIdx.x / tiles_down} * blockDim.y + threadIdx.y;
  if (i < input.rows && j < input.columns) {
    output.data[j * output.pitch + i] = input.data[i * input.pitch + j];
  }
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const std::size_t tiles_down = (input.rows + block.x - 1) / block.x;
  const std::size_t tiles_across = (input.columns + block.y - 1) / block.y;
  transpose_elements<<<static_cast<unsigned>(tiles_down * tiles_across), block, 0, stream>>>(
      input, output, static_cast<unsigned>(tiles_down));
  CUDA_CHECK(cudaGetLastError());
}
