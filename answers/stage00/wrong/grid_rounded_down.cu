// refused: wrong-result: the pixels behind the last whole block are lost
// SPDX-License-Identifier: MIT
// shown by: --size 1x1003
// hint: empty-grid
#include "workbook/student/picture.h"

#define map_on_device right_map_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef map_on_device

void launch_negative_wrongly(const workbook::Pixel* input, workbook::Pixel* output, std::size_t n, unsigned block_size,
                             cudaStream_t stream) {
  make_negative<<<static_cast<unsigned>(n / block_size), block_size, 0, stream>>>(input, output, n);
  CUDA_CHECK(cudaGetLastError());
}

void map_on_device(workbook::Map map, const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents,
                   unsigned width, dim3 block, cudaStream_t stream) {
  const std::size_t n = std::size_t{extents.rows} * extents.columns;
  if (n == 0) {
    return;
  }
  if (map == workbook::Map::negative) {
    launch_negative_wrongly(input, output, n, block.x * block.y, stream);
  } else {
    launch_frame(input, output, extents, width, block, stream);
  }
}
