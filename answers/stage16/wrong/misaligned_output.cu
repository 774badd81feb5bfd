// refused: misaligned: the rows of the input begin at multiples of 16 bytes, those of the output need not
// SPDX-License-Identifier: MIT
// shown by: --size 130x72 --block-size 16x16
// hint: misaligned-global
// There are two matrices, two addresses, two pitches. For a square from cudaMalloc() one question answers all four.
#include "workbook/student/matrix.h"

#define transpose_on_device right_transpose_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef transpose_on_device

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  const Tiles tiles(input, kSide * block.x);
  const std::size_t tile_bytes = std::size_t{tiles.side} * tiles.side * sizeof(float);
  CUDA_CHECK(cudaFuncSetAttribute(transpose_squares, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(tile_bytes)));
  const bool aligned = holds_vectors(input.data, input.pitch);
  transpose_squares<<<tiles.down * tiles.across, block, tile_bytes, stream>>>(input, output, tiles, aligned);
  CUDA_CHECK(cudaGetLastError());
}
