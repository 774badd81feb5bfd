// refused: not-the-step: of the pitches with the fewest passes the largest is taken
// SPDX-License-Identifier: MIT
// hint: step-larger-pitch
#include "workbook/student/matrix.h"

#define tile_pitch(...) right_tile_pitch(__VA_ARGS__)
#define transpose_on_device right_transpose_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef tile_pitch
#undef transpose_on_device

unsigned tile_pitch(unsigned side) {
  unsigned best = side;
  for (unsigned pitch = side; pitch < side + kBanks; ++pitch) {
    const unsigned passes = passes_of(side, pitch, false) + passes_of(side, pitch, true);
    if (passes <= passes_of(side, best, false) + passes_of(side, best, true)) best = pitch;
  }
  return best;
}

void transpose_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) {
    return;
  }
  const std::size_t tiles_down = (input.rows + block.x - 1) / block.x;
  const std::size_t tiles_across = (input.columns + block.x - 1) / block.x;
  const unsigned pitch = tile_pitch(block.x);
  transpose_tiles<<<static_cast<unsigned>(tiles_down * tiles_across), block, block.x * pitch * sizeof(float), stream>>>(
      input, output, static_cast<unsigned>(tiles_down), pitch);
  CUDA_CHECK(cudaGetLastError());
}
