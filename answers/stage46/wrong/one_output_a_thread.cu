// refused: not-the-step: right, but each pixel of the tile that is read serves one multiply-add
// SPDX-License-Identifier: MIT
// hint: step-shared-requests
#include "answer/right.cuh"

using namespace right;

__global__ void convolve_one_by_one(ConstMatrix input, Matrix output, unsigned size) {
  extern __shared__ float4 memory[];
  float* const tile = reinterpret_cast<float*>(memory);
  const unsigned rows = kRows * blockDim.y, reach = size / 2;
  load_tile(input, static_cast<int>(blockIdx.y * rows) - static_cast<int>(reach),
            static_cast<int>(blockIdx.x * kColumns) - static_cast<int>(reach), rows + size - 1, kTilePitch, tile);
  __syncthreads();
  for (unsigned y = threadIdx.y; y < rows; y += blockDim.y) {
    for (unsigned x = threadIdx.x; x < kColumns; x += blockDim.x) {
      float sum = 0.0f;
      for (unsigned i = 0; i < size; ++i) {
        const float* const row = reinterpret_cast<const float*>(weights[i]);
        for (unsigned j = 0; j < size; ++j) sum += row[j] * row_of(tile, y + i)[x + j];
      }
      const std::size_t at_row = std::size_t{blockIdx.y} * rows + y, column = std::size_t{blockIdx.x} * kColumns + x;
      if (at_row < output.rows && column < output.columns) output.data[at_row * output.pitch + column] = sum;
    }
  }
}

#define CONVOLVE convolve_one_by_one
#include "answer/launch.cuh"
