// refused: wrong-result: the row above stays that of the first round
// SPDX-License-Identifier: MIT
// shown by: --size 64x130
// hint: shared-not-written
#include "answer/right.cuh"

using namespace right;

__global__ void step_tiles_wrongly(ConstMatrix input, Matrix output, float rate) {
  extern __shared__ float4 memory[];
  float* const cells = reinterpret_cast<float*>(memory);
  const Tile tile{std::size_t{blockIdx.y} * kRows * blockDim.y, std::size_t{blockIdx.x} * kColumns};
  load_tile(input, tile, cells);
  __syncthreads();
  const unsigned first = kRows * threadIdx.y;
  float4 above = load_row(cells, first), centre = load_row(cells, first + 1);
  for (unsigned i = 0; i < kRows; ++i) {
    const unsigned r = first + 1 + i;
    const float4 below = load_row(cells, r + 1);
    const float4 after = heated_cells(rate, cells, r, above, centre, below);
    store_cells(output, tile.top + first + i, tile.left + kCells * threadIdx.x, centre, after);
    centre = below;
  }
}

#define STEP_TILES step_tiles_wrongly
#include "answer/launch.cuh"
