// refused: failed-launch: 64 KiB of shared memory a block must be asked for
// SPDX-License-Identifier: MIT
// shown by: --size 130x72 --block-size 32x32
// hint: too-much-shared
// And the code does not ask for the error either.
#include "workbook/student/matrix.h"

#define transpose_on_device right_transpose_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef transpose_on_device

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  const Tiles tiles(input, kSide * block.x);
  const std::size_t tile_bytes = std::size_t{tiles.side} * tiles.side * sizeof(float);
  const bool aligned = holds_vectors(input.data, input.pitch) && holds_vectors(output.data, output.pitch);
  transpose_squares<<<tiles.down * tiles.across, block, tile_bytes, stream>>>(input, output, tiles, aligned);
}
