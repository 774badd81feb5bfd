// SPDX-License-Identifier: MIT
// The kernel of stage 44, for wrong kernels that change what it calls. The including file may define LOAD_TILE,
// HEATED_CELLS or STORE_CELLS as the name of its own function.
#ifndef LOAD_TILE
#define LOAD_TILE load_tile
#endif
#ifndef HEATED_CELLS
#define HEATED_CELLS heated_cells
#endif
#ifndef STORE_CELLS
#define STORE_CELLS store_cells
#endif

__global__ void step_tiles_by_wrong_parts(ConstMatrix input, Matrix output, float rate) {
  extern __shared__ float4 memory[];
  float* const cells = reinterpret_cast<float*>(memory);
  const Tile tile{std::size_t{blockIdx.y} * kRows * blockDim.y, std::size_t{blockIdx.x} * kColumns};
  LOAD_TILE(input, tile, cells);
  __syncthreads();
  const unsigned first = kRows * threadIdx.y;
  float4 above = load_row(cells, first), centre = load_row(cells, first + 1);
  for (unsigned i = 0; i < kRows; ++i) {
    const unsigned r = first + 1 + i;
    const float4 below = load_row(cells, r + 1);
    const float4 after = HEATED_CELLS(rate, cells, r, above, centre, below);
    STORE_CELLS(output, tile.top + first + i, tile.left + kCells * threadIdx.x, centre, after);
    above = centre;
    centre = below;
  }
}

#define STEP_TILES step_tiles_by_wrong_parts
#include "launch.cuh"
#undef LOAD_TILE
#undef HEATED_CELLS
#undef STORE_CELLS
