// refused: wrong-result: inside of the frame nothing is stored
// SPDX-License-Identifier: MIT
// shown by: --map frame --size 64x64 --width 3
// hint: output-not-written
#include "workbook/student/picture.h"

#define draw_frame_on_device right_draw_frame_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef draw_frame_on_device

__global__ void draw_frame_wrongly(float* output, workbook::Extents extents, unsigned width) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < extents.rows && column < extents.columns && is_on_frame(row, column, extents, width)) {
    output[std::size_t{row} * extents.columns + column] = workbook::kWhite;
  }
}

void draw_frame_on_device(const float*, float* output, workbook::Extents extents, unsigned width, dim3 block,
                          cudaStream_t stream) {
  if (extents.rows == 0 || extents.columns == 0) {
    return;
  }
  const dim3 grid(blocks_for(extents.columns, block.x), blocks_for(extents.rows, block.y));
  draw_frame_wrongly<<<grid, block, 0, stream>>>(output, extents, width);
  CUDA_CHECK(cudaGetLastError());
}
