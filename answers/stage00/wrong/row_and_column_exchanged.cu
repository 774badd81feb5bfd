// refused: wrong-result: the grid has its columns in x, and the kernel takes them for rows
// SPDX-License-Identifier: MIT
// shown by: --map frame --size 37x100 --width 2
// hint: output-not-written
#include "workbook/student/picture.h"

#define map_on_device right_map_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef map_on_device

__global__ void draw_frame_wrongly(const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents,
                                   unsigned width) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < extents.rows && column < extents.columns) {
    const std::size_t i = std::size_t{row} * extents.columns + column;
    output[i] = is_on_frame(row, column, extents, width) ? workbook::white() : input[i];
  }
}

void launch_frame_wrongly(const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents,
                          unsigned width, dim3 block, cudaStream_t stream) {
  const dim3 grid(blocks_for(extents.columns, block.x), blocks_for(extents.rows, block.y));
  draw_frame_wrongly<<<grid, block, 0, stream>>>(input, output, extents, width);
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
