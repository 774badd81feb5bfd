// SPDX-License-Identifier: MIT
// How rows are cut: which threads hold which numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "workbook/student/rows.h"

constexpr unsigned kNumbers = 32;        ///< Of a row, that a thread holds in registers.
constexpr unsigned kMostThreads = 1024;  ///< Of a block that has whole rows.

// For rows in parts. A block holds two parts at a time, and three blocks share an SM.
constexpr unsigned kNumbersOfPart = 24;  ///< That a thread holds of each part.
constexpr unsigned kMostThreadsOfPart = 256;
constexpr unsigned kResidentBlocks = 3;

/// How rows are cut. A short row is for one warp, and a block has several warps. A longer row is for all threads of a
/// block. A row that is longer still is cut into parts, which several blocks have at the same time.
struct Cut {
  dim3 block;      ///< In x the threads of a row or a part, a multiple of 32. In y the rows of a block.
  unsigned parts;  ///< Of a row. More than 1: then blocks have parts of rows.
};

inline Cut cut_rows(std::size_t columns, unsigned block_size) {
  const auto warps_for = [columns](std::size_t numbers) { return (columns + 32 * numbers - 1) / (32 * numbers); };
  std::size_t warps = warps_for(kNumbers);
  if (warps == 1) return {dim3(32, std::min(block_size, 256u) / 32), 1};
  if (32 * warps <= block_size) return {dim3(static_cast<unsigned>(32 * warps), 1), 1};
  warps = warps_for(kNumbersOfPart);
  const std::size_t most = std::min(block_size, kMostThreadsOfPart) / 32, parts = (warps + most - 1) / most;
  return {dim3(static_cast<unsigned>(32 * ((warps + parts - 1) / parts)), 1), static_cast<unsigned>(parts)};
}

/// Whether every row of a matrix begins at a multiple of 16 bytes and ends at one.
inline bool holds_vectors(const float* data, std::size_t columns, std::size_t pitch) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && columns % 4 == 0 && pitch % 4 == 0;
}

/// What a block has of a row, in vectors: from `begin` to before `end`.
struct Part {
  unsigned begin;
  unsigned end;
};
/// Part number `part` of `parts`, which are about equal.
__device__ inline Part part_of_row(unsigned vectors, unsigned part, unsigned parts) {
  const unsigned size = (vectors + parts - 1) / parts;
  return {min(vectors, part * size), min(vectors, (part + 1) * size)};
}

/// Reads what no thread of this SM reads again: it needs no place in the L1 cache.
__device__ inline float4 load_once(const float4* address) {
  float4 value;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
      : "l"(address));
  return value;
}
__device__ inline float load_once(const float* address) { return __ldcs(address); }

/// Vector k of this thread, in a part of the row. It does not exist where it is part.end or more.
__device__ inline unsigned place_of(Part part, unsigned k) { return part.begin + k * blockDim.x + threadIdx.x; }

/// Stores this thread's numbers of a row, each multiplied by `factor`.
template <typename Vector, unsigned kCount>
__device__ void store(float (&numbers)[kCount], float factor, Vector* row, Part part) {
  constexpr unsigned kWidth = sizeof(Vector) / sizeof(float);
#pragma unroll
  for (unsigned k = 0; k < kCount / kWidth; ++k) {
    for (unsigned i = 0; i < kWidth; ++i) {
      numbers[k * kWidth + i] *= factor;
    }
    if (place_of(part, k) < part.end) {
      Vector vector;
      memcpy(&vector, &numbers[k * kWidth], sizeof vector);
      __stcs(row + place_of(part, k), vector);
    }
  }
}
