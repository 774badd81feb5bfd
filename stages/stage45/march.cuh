// SPDX-License-Identifier: MIT
// How a block marches through a volume: which cells a thread has, and how it finds the cells beside its own.
#pragma once

#include <algorithm>
#include <cstddef>

#include "workbook/student/grids/heat.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kRows = 3;                      // of a thread, one below the other
constexpr unsigned kColumns = kWarp * 4;           // of a tile, with the halo: a lane has a float4
constexpr unsigned kHalo = 4;                      // columns on each side of a tile: those of one lane
constexpr unsigned kInner = kColumns - 2 * kHalo;  // columns that a tile stores
constexpr unsigned kMostThreads = 256;
constexpr unsigned kResidentBlocks = 2;  // on a multiprocessor: while one waits at its barrier, the other one computes

// The cells of one thread in one plane.
struct Cells {
  float4 row[kRows];
};

// Where the cells of one thread are, in every plane: rows y to y + kRows - 1, and columns x to x + 3. Places outside of
// the grid have the cells of the nearest place inside.
struct Place {
  std::size_t offset[kRows];  // in a plane
  bool is_stored[kRows];      // by this thread, and not by one of another tile
  float4 rate[kRows];         // how fast heat flows: 0 for a cell that is held, so that it keeps its value
  int last_column;            // of the grid, counted from x
};

// The planes of a block: blockIdx.z * planes and those behind it.
struct Part {
  unsigned planes;
  unsigned count;
};

// `steps` of one pass: the rows of the halo on each side of a tile.
__device__ inline Place find_place(workbook::ConstVolume grid, float rate, int steps) {
  Place place;
  const int last_row = static_cast<int>(grid.rows) - 1, last_column = static_cast<int>(grid.columns) - 1;
  const int of_tile = static_cast<int>(kRows * blockDim.y), first = static_cast<int>(kRows * threadIdx.y);
  const int x = static_cast<int>(blockIdx.x * kInner + 4 * threadIdx.x) - static_cast<int>(kHalo);
  const int column = min(max(x, 0), last_column / 4 * 4);
  place.last_column = last_column - column;
  const auto of_column = [&](int i) { return column + i == 0 || column + i >= last_column ? 0.0f : rate; };
  const float4 rates{of_column(0), of_column(1), of_column(2), of_column(3)};
#pragma unroll
  for (int i = 0; i < static_cast<int>(kRows); ++i) {
    const int y = static_cast<int>(blockIdx.y) * (of_tile - 2 * steps) + first + i - steps;
    const int row = min(max(y, 0), last_row);
    place.offset[i] = row * grid.pitch + column;
    place.is_stored[i] = x == column && y == row && threadIdx.x > 0 && threadIdx.x < kWarp - 1 && first + i >= steps &&
                         first + i < of_tile - steps;
    place.rate[i] = row == 0 || row == last_row ? float4{} : rates;
  }
  return place;
}

// The cells of plane z, or of the nearest plane inside. What lies behind the last column is 0.
__device__ inline Cells load_cells(workbook::ConstVolume grid, const Place& place, int z) {
  const float* const from = grid.data + min(max(z, 0), static_cast<int>(grid.planes) - 1) * (grid.rows * grid.pitch);
  Cells cells;
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) cells.row[i] = *reinterpret_cast<const float4*>(from + place.offset[i]);
  if (place.last_column < 3) {
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
      if (place.last_column < 1) cells.row[i].y = 0.0f;
      if (place.last_column < 2) cells.row[i].z = 0.0f;
      cells.row[i].w = 0.0f;
    }
  }
  return cells;
}

// Stores the cells of plane z that are this thread's.
__device__ inline void store_cells(workbook::Volume grid, const Place& place, int z, const Cells& cells) {
  float* const to = grid.data + z * (grid.rows * grid.pitch);
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
    if (!place.is_stored[i]) continue;
    float* const row = to + place.offset[i];
    const float4 four = cells.row[i];
    if (place.last_column >= 3) {
      __stcs(reinterpret_cast<float4*>(row), four);
    } else {
      row[0] = four.x;
      if (place.last_column >= 1) row[1] = four.y;
      if (place.last_column >= 2) row[2] = four.z;
    }
  }
}

// Plane number i of shared memory: the first and the last row of each thread, all that other warps need.
constexpr unsigned kShared = kRows == 1 ? 1 : 2;
__device__ inline float4* plane_of(float4* memory, unsigned i) { return memory + i * kShared * blockDim.y * kWarp; }
inline std::size_t plane_bytes(dim3 block) { return std::size_t{kShared} * block.y * kWarp * sizeof(float4); }

// Puts the cells of this thread into a plane.
__device__ inline void put(float4* plane, const Cells& cells) {
  float4* const mine = plane + kShared * threadIdx.y * kWarp + threadIdx.x;
  mine[0] = cells.row[0];
  if (kShared == 2) mine[kWarp] = cells.row[kRows - 1];
}

__device__ inline float heated(float rate, float centre, float sum) { return centre + rate * (sum - 6.0f * centre); }

// The cells of plane z after a step. `before`, `centre` and `behind` are those of planes z - 1, z and z + 1. The rows
// above and below are in shared memory, and the columns left and right in the registers of this warp: all lanes come
// here. In the first and the last row and column of a tile the result is no number of the grid.
__device__ inline Cells step_of(const float4* plane, const Cells& before, const Cells& centre, const Cells& behind,
                                workbook::ConstVolume grid, const Place& place, int z) {
  const float4* const mine = plane + kShared * threadIdx.y * kWarp + threadIdx.x;
  // Outside of the tile a row of this thread stands in: what is computed there is not used.
  const float4 first = *(threadIdx.y == 0 ? mine : mine - kWarp);
  const float4 last = *(threadIdx.y + 1 == blockDim.y ? mine : mine + kShared * kWarp);
  const float flows = z <= 0 || z + 1 >= static_cast<int>(grid.planes) ? 0.0f : 1.0f;
  Cells after;
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
    const float4 here = centre.row[i], above = i == 0 ? first : centre.row[i == 0 ? 0 : i - 1],
                 below = i + 1 == kRows ? last : centre.row[i + 1 == kRows ? i : i + 1];
    const float left = __shfl_up_sync(0xffffffffu, here.w, 1), right = __shfl_down_sync(0xffffffffu, here.x, 1);
    const float4 old = before.row[i], next = behind.row[i];
    const float4 rate{flows * place.rate[i].x, flows * place.rate[i].y, flows * place.rate[i].z,
                      flows * place.rate[i].w};
    after.row[i].x = heated(rate.x, here.x, left + here.y + above.x + below.x + old.x + next.x);
    after.row[i].y = heated(rate.y, here.y, here.x + here.z + above.y + below.y + old.y + next.y);
    after.row[i].z = heated(rate.z, here.z, here.y + here.w + above.z + below.z + old.z + next.z);
    after.row[i].w = heated(rate.w, here.w, here.z + right + above.w + below.w + old.w + next.w);
  }
  return after;
}

inline unsigned tiles_across(workbook::ConstVolume grid) {
  return static_cast<unsigned>((grid.columns + kInner - 1) / kInner);
}
inline unsigned tiles_down(workbook::ConstVolume grid, unsigned steps, dim3 block) {
  const std::size_t rows = kRows * block.y - 2 * steps;
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
  const unsigned planes = static_cast<unsigned>(grid.planes);
  const unsigned places = static_cast<unsigned>(std::max(1, resident * multiprocessors));
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
