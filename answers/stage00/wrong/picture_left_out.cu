// refused: wrong-result: inside of the frame nothing is stored
// SPDX-License-Identifier: MIT
// shown by: --map frame --size 64x64 --width 3
// hint: output-not-written
#include "workbook/student/picture.h"

#define map_on_device right_map_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef map_on_device

__global__ void draw_frame_wrongly(workbook::Pixel* output, workbook::Extents extents, unsigned width) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < extents.rows && column < extents.columns && is_on_frame(row, column, extents, width)) {
    output[std::size_t{row} * extents.columns + column] = workbook::white();
  }
}

void launch_frame_wrongly(const workbook::Pixel*, workbook::Pixel* output, workbook::Extents extents, unsigned width,
                          dim3 block, cudaStream_t stream) {
  const dim3 grid(blocks_for(extents.columns, block.x), blocks_for(extents.rows, block.y));
  draw_frame_wrongly<<<grid, block, 0, stream>>>(output, extents, width);
  CUDA_CHECK(cudaGetLastError());
}

void map_on_device(workbook::Map map, const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents,
                   unsigned width, dim3 block, cudaStream_t stream) {
  const std::size_t n = std::size_t{extents.rows} * extents.columns;
  if (n == 0) {
    return;
  }
  if (map == workbook::Map::negative) {
    launch_negative(input, output, n, block.x * block.y, stream);
  } else {
    launch_frame_wrongly(input, output, extents, width, block, stream);
  }
}
