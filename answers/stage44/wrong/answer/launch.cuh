// SPDX-License-Identifier: MIT
// The launch of stage 44 for a wrong kernel. The including file defines STEP_TILES as the name of its kernel, and may
// define TILES(cells, of_a_tile) as its own way to cut.
#ifndef TILES
#define TILES(cells, of_a_tile) (((cells) + (of_a_tile)-1) / (of_a_tile))
#endif

void heat_step_on_device(ConstMatrix input, Matrix output, float rate, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) return;
  const std::size_t rows = std::size_t{kRows} * block.y;
  const dim3 grid(static_cast<unsigned>(TILES(input.columns, kColumns)),
                  static_cast<unsigned>(TILES(input.rows, rows)));
  STEP_TILES<<<grid, block, 0, stream>>>(input, output, rate);
  CUDA_CHECK(cudaGetLastError());
}

#undef STEP_TILES
#undef TILES
