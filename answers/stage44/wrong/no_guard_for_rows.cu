// refused: out-of-bounds: the row above the first one, and those behind the last one, are no rows of the grid
// SPDX-License-Identifier: MIT
// shown by: --size 20x100
// hint: outside-global
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_load_tile(ConstMatrix input, Tile tile, float* cells) {
  for (unsigned r = threadIdx.y; r < kRows * blockDim.y + 2; r += blockDim.y) {
    const std::size_t row = tile.top + r - 1, column = tile.left + kCells * threadIdx.x;
    const float* const from = input.data + row * input.pitch;
    float* const to = cells + r * kPitch + kCells;
    if (column < input.columns) {
      *reinterpret_cast<float4*>(to + kCells * threadIdx.x) = *reinterpret_cast<const float4*>(from + column);
    }
    if (threadIdx.x == 0 && tile.left > 0) to[-1] = from[tile.left - 1];
    if (threadIdx.x == kWarp - 1 && tile.left + kColumns < input.columns) to[kColumns] = from[tile.left + kColumns];
  }
}

#define LOAD_TILE wrong_load_tile
#include "answer/kernel.cuh"
