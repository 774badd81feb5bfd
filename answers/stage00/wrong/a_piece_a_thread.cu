// refused: not-the-step: each thread makes 32 pixels beside each other, so a warp's loads lie 512 bytes apart
// SPDX-License-Identifier: MIT
// shown by: --cases quick
// hint: step-sectors
// Like a loop that is cut for the cores of a CPU. On a GPU neighbours in a warp should take neighbours in memory.
#include "workbook/student/picture.h"

#define map_on_device right_map_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef map_on_device

__global__ void make_negative_in_pieces(const workbook::Pixel* input, workbook::Pixel* output, std::size_t n) {
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * 32;
  for (std::size_t i = first; i < first + 32 && i < n; ++i) {
    output[i] = workbook::negative_of(input[i]);
  }
}

void launch_negative_wrongly(const workbook::Pixel* input, workbook::Pixel* output, std::size_t n, unsigned block_size,
                             cudaStream_t stream) {
  make_negative_in_pieces<<<blocks_for(n, 32 * block_size), block_size, 0, stream>>>(input, output, n);
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
