// refused: out-of-bounds: the rows of the tile are longer now, and its bytes are still those of stage 14
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 16x16
// hint: outside-shared
#include "workbook/student/matrix.h"

#define transpose_on_device right_transpose_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef transpose_on_device

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  const std::size_t tiles_down = (input.rows + block.x - 1) / block.x;
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  const std::size_t tile_bytes = block.x * block.x * sizeof(float);
  transpose_tiles<<<static_cast<unsigned>(tiles_down * tiles_across), block, tile_bytes, stream>>>(
      input, output, static_cast<unsigned>(tiles_down), tile_pitch(block.x));
  CUDA_CHECK(cudaGetLastError());
}
