// SPDX-License-Identifier: MIT
// How a block marches through a volume: which cells a thread has, and how it finds the cells beside its own.
#pragma once

#include <algorithm>
#include <cstddef>

#include "workbook/student/heat.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kCells = 4;                     // side by side in a thread: a float4
constexpr unsigned kColumns = kWarp * kCells;      // of a tile, with the halo
constexpr unsigned kHalo = kCells;                 // columns on each side of a tile: one thread's
constexpr unsigned kInner = kColumns - 2 * kHalo;  // columns that a tile stores
constexpr unsigned kMostThreads = 1024;

// The cells of one thread, in every plane: row y, columns x to x + 3. They may lie outside of the grid.
struct Place {
  int x, y;
  bool is_inside;      // cells of the grid
  bool is_stored;      // by this thread, and not by one of another tile
  bool is_row_held;    // the first or the last row
  int last_column;     // of the grid, counted from x
  unsigned planes;     // of the grid
  std::size_t offset;  // of x and y in a plane
  std::size_t plane;   // from one plane to the next
};

// The planes of a block: blockIdx.z * planes and those behind it.
struct Part {
  unsigned planes;
  unsigned count;
};

// `steps` of one pass: the rows of the halo on each side of a tile.
__device__ inline Place find_place(workbook::ConstVolume grid, int steps) {
  Place place;
  const int rows = static_cast<int>(grid.rows), columns = static_cast<int>(grid.columns);
  place.x = static_cast<int>(blockIdx.x * kInner + kCells * threadIdx.x) - static_cast<int>(kHalo);
  place.y = static_cast<int>(blockIdx.y * (blockDim.y - 2 * steps) + threadIdx.y) - steps;
  place.is_inside = place.x >= 0 && place.x < columns && place.y >= 0 && place.y < rows;
  const int row = static_cast<int>(threadIdx.y);
  place.is_stored = place.is_inside && threadIdx.x > 0 && threadIdx.x < kWarp - 1 && row >= steps &&
                    row < static_cast<int>(blockDim.y) - steps;
  place.is_row_held = place.y == 0 || place.y == rows - 1;
  place.last_column = columns - 1 - place.x;
  place.planes = static_cast<unsigned>(grid.planes);
  place.offset = place.is_inside ? place.y * grid.pitch + place.x : 0;
  place.plane = grid.rows * grid.pitch;
  return place;
}

// The cells of plane z; zeros where the grid has none. Columns behind the last one are no cells, and may be NaN.
__device__ inline float4 load_cells(workbook::ConstVolume grid, const Place& place, int z) {
  if (!place.is_inside || z < 0 || z >= static_cast<int>(place.planes)) return float4{};
  return *reinterpret_cast<const float4*>(grid.data + z * place.plane + place.offset);
}

// Stores the cells of plane z, if they are this thread's.
__device__ inline void store_cells(workbook::Volume grid, const Place& place, unsigned z, float4 cells) {
  if (!place.is_stored) return;
  float* const to = grid.data + z * place.plane + place.offset;
  if (place.last_column >= 3) {
    __stcs(reinterpret_cast<float4*>(to), cells);
  } else {
    const float each[] = {cells.x, cells.y, cells.z};
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      if (i <= place.last_column) to[i] = each[i];
    }
  }
}

// Plane number i of shared memory: blockDim.y rows of kWarp vectors.
__device__ inline float4* plane_of(float4* memory, unsigned i) { return memory + i * blockDim.y * kWarp; }
inline std::size_t plane_bytes(dim3 block) { return std::size_t{block.y} * kWarp * sizeof(float4); }

// Puts the cells of this thread into a plane.
__device__ inline void put(float4* plane, float4 cells) { plane[threadIdx.y * kWarp + threadIdx.x] = cells; }

__device__ inline float heated(float rate, float centre, float sum) { return centre + rate * (sum - 6.0f * centre); }

// The cells of plane z after a step. `before`, `centre` and `behind` are those of planes z - 1, z and z + 1. The rows
// above and below are in shared memory, and the columns left and right in the registers of this warp: all lanes come
// here. In the first and the last row and column of a tile the result is no number of the grid.
__device__ inline float4 step_of(const float4* plane, float4 before, float4 centre, float4 behind, float rate,
                                 const Place& place, int z) {
  const float left = __shfl_up_sync(0xffffffffu, centre.w, 1), right = __shfl_down_sync(0xffffffffu, centre.x, 1);
  const unsigned y = threadIdx.y;
  const float4 above = plane[(y == 0 ? y : y - 1) * kWarp + threadIdx.x];
  const float4 below = plane[(y + 1 == blockDim.y ? y : y + 1) * kWarp + threadIdx.x];
  if (place.is_row_held || z <= 0 || z + 1 >= static_cast<int>(place.planes)) return centre;
  float4 after;
  after.x = heated(rate, centre.x, left + centre.y + above.x + below.x + before.x + behind.x);
  after.y = heated(rate, centre.y, centre.x + centre.z + above.y + below.y + before.y + behind.y);
  after.z = heated(rate, centre.z, centre.y + centre.w + above.z + below.z + before.z + behind.z);
  after.w = heated(rate, centre.w, centre.z + right + above.w + below.w + before.w + behind.w);
  if (place.x == 0 || place.last_column == 0) after.x = centre.x;
  if (place.last_column == 1) after.y = centre.y;
  if (place.last_column == 2) after.z = centre.z;
  if (place.last_column == 3) after.w = centre.w;
  return after;
}

inline unsigned tiles_across(workbook::ConstVolume grid) {
  return static_cast<unsigned>((grid.columns + kInner - 1) / kInner);
}
inline unsigned tiles_down(workbook::ConstVolume grid, unsigned steps, dim3 block) {
  const std::size_t rows = block.y - 2 * steps;
  return static_cast<unsigned>((grid.rows + rows - 1) / rows);
}

// Cuts the planes into parts, so that the device is full and each part costs little more. A part loads 2 * steps
// planes more than it stores. Blocks that do not run at the same time run in rounds, and the last round should be full.
inline Part cut_planes(workbook::ConstVolume grid, unsigned steps, dim3 block, const void* kernel, std::size_t bytes) {
  int device = 0, multiprocessors = 1, resident = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, static_cast<int>(block.x * block.y), bytes));
  const unsigned planes = static_cast<unsigned>(grid.planes), places = std::max(1, resident * multiprocessors);
  const unsigned tiles = tiles_across(grid) * tiles_down(grid, steps, block);
  Part best{planes, 1};
  std::size_t least = ~std::size_t{0};
  for (unsigned count = 1; count <= std::max(1u, planes / 8); ++count) {
    const unsigned depth = (planes + count - 1) / count, rounds = (tiles * count + places - 1) / places;
    const std::size_t cost = std::size_t{rounds} * (depth + 2 * steps);
    if (cost < least) {
      least = cost;
      best = {depth, (planes + depth - 1) / depth};
    }
  }
  return best;
}
