// refused: race: a lane stores its sums over pixels that lanes of its row may still read
// SPDX-License-Identifier: MIT
// shown by: --size 64x128 --reach 2 --filter separable
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

__global__ void __launch_bounds__(256) convolve_wrongly(ConstMatrix input, Matrix output, unsigned size) {
  extern __shared__ float4 memory[];
  float* const tile = reinterpret_cast<float*>(memory);
  const unsigned rows = kRows * blockDim.y, reach = size / 2;
  load_tile(input, static_cast<int>(blockIdx.y * rows) - static_cast<int>(reach),
            static_cast<int>(blockIdx.x * kColumns) - static_cast<int>(reach), rows + size - 1, kTilePitch, tile);
  __syncthreads();
  for (unsigned y = threadIdx.y; y < rows + size - 1; y += blockDim.y) {
    float* const row = row_of(tile, y) + 4 * threadIdx.x;
    float sums[kVectors][4] = {};
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      float pixels[8];
      copy_vector(row + v * kApart, pixels, 0);
      for (unsigned i = 0; i < size; i += 4) {
        copy_vector(row + v * kApart + i + 4, pixels, 4);
        multiply_add(sums[v], weights[1][i / 4], pixels);
#pragma unroll
        for (unsigned c = 0; c < 4; ++c) pixels[c] = pixels[c + 4];
      }
    }
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      *reinterpret_cast<float4*>(row + v * kApart) = float4{sums[v][0], sums[v][1], sums[v][2], sums[v][3]};
    }
  }
  __syncthreads();
  Sums sums;
  const unsigned first = kRows * threadIdx.y;
  const float* const down = reinterpret_cast<const float*>(weights[0]);
  for (unsigned j = 0; j < size + kRows - 1; ++j) {
#pragma unroll
    for (unsigned v = 0; v < kVectors; ++v) {
      const float4 cells = *reinterpret_cast<const float4*>(row_of(tile, first + j) + v * kApart + 4 * threadIdx.x);
#pragma unroll
      for (unsigned r = 0; r < kRows; ++r) {
        const float weight = j - r < size ? down[j - r] : 0.0f;
        sums.of[r][v][0] += weight * cells.x;
        sums.of[r][v][1] += weight * cells.y;
        sums.of[r][v][2] += weight * cells.z;
        sums.of[r][v][3] += weight * cells.w;
      }
    }
  }
  store_sums(output, std::size_t{blockIdx.y} * rows + first, sums);
}

#define CONVOLVE_SEPARABLY convolve_wrongly
#include "answer/launch.cuh"
