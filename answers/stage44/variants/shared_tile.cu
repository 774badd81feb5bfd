// SPDX-License-Identifier: MIT
// Variant: the tile of a block lies in shared memory, with its halo. Asynchronous copies bring it there, without a
// register on the way. To expect: fewer sectors, as warps of a block share the rows between their tiles, and more time:
// each cell moves once more, and all warps wait for the last copy.
#include <cuda_pipeline.h>

#include "workbook/student/grids/heat.h"

// All but what follows is the answer.
#define step_tiles step_tiles_in_registers
#define heat_step_on_device heat_step_by_registers
#include "../solution.cu"
#undef step_tiles
#undef heat_step_on_device

constexpr unsigned kRowsOfThread = 4;
constexpr unsigned kPitch = kColumns + 2 * kCells;  // a row of the tile, with what lies left and right of it

// Row r of `tile` is row top - 1 + r of the grid. Column c of the tile is at kCells + c, so c = -1 and c = kColumns are
// the halo.
__device__ void load_tile(ConstMatrix input, std::size_t top, std::size_t left, float* tile) {
  const std::size_t column = left + kCells * threadIdx.x;
  const bool is_first = threadIdx.x == 0 && left > 0;
  const bool is_last = threadIdx.x == kWarp - 1 && left + kColumns < input.columns;
#pragma unroll
  for (unsigned i = 0; i <= kRowsOfThread; ++i) {
    const unsigned r = threadIdx.y + i * blockDim.y;
    const std::size_t row = top + r - 1;
    if (r >= kRowsOfThread * blockDim.y + 2 || row >= input.rows) continue;
    const float* const from = input.data + row * input.pitch;
    float* const to = tile + r * kPitch + kCells;
    if (column < input.columns) __pipeline_memcpy_async(to + kCells * threadIdx.x, from + column, sizeof(float4));
    if (is_first) __pipeline_memcpy_async(to - 1, from + left - 1, sizeof(float));
    if (is_last) __pipeline_memcpy_async(to + kColumns, from + left + kColumns, sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

__device__ float4 row_of(const float* tile, unsigned r) {
  return *reinterpret_cast<const float4*>(tile + r * kPitch + kCells + kCells * threadIdx.x);
}

__global__ void step_tiles(ConstMatrix input, Matrix output, float rate) {
  extern __shared__ float4 memory[];
  float* const tile = reinterpret_cast<float*>(memory);
  const std::size_t top = std::size_t{blockIdx.y} * kRowsOfThread * blockDim.y;
  const std::size_t left = std::size_t{blockIdx.x} * kColumns;
  load_tile(input, top, left, tile);
  __syncthreads();
  const unsigned first = kRowsOfThread * threadIdx.y;
  float4 above = row_of(tile, first), centre = row_of(tile, first + 1);
#pragma unroll
  for (unsigned i = 0; i < kRowsOfThread; ++i) {
    const float* const row = tile + (first + 1 + i) * kPitch + kCells;
    const float4 below = row_of(tile, first + 2 + i);
    float before = __shfl_up_sync(0xffffffffu, centre.w, 1), behind = __shfl_down_sync(0xffffffffu, centre.x, 1);
    if (threadIdx.x == 0) before = row[-1];
    if (threadIdx.x == kWarp - 1) behind = row[kColumns];
    const float4 after{heated(rate, centre.x, before, centre.y, above.x, below.x),
                       heated(rate, centre.y, centre.x, centre.z, above.y, below.y),
                       heated(rate, centre.z, centre.y, centre.w, above.z, below.z),
                       heated(rate, centre.w, centre.z, behind, above.w, below.w)};
    store_cells(output, top + first + i, left + kCells * threadIdx.x, centre, after);
    above = centre;
    centre = below;
  }
}

void heat_step_on_device(ConstMatrix input, Matrix output, float rate, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) return;
  const std::size_t rows = std::size_t{kRowsOfThread} * block.y;
  const dim3 grid(static_cast<unsigned>((input.columns + kColumns - 1) / kColumns),
                  static_cast<unsigned>((input.rows + rows - 1) / rows));
  step_tiles<<<grid, block, (rows + 2) * kPitch * sizeof(float), stream>>>(input, output, rate);
  CUDA_CHECK(cudaGetLastError());
}
