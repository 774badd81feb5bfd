// SPDX-License-Identifier: MIT
// How rows are cut: which threads hold which numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "workbook/student/rows.h"

constexpr unsigned kNumbers = 32;        ///< Of a row, that a thread holds in registers.
constexpr unsigned kMostThreads = 512;   ///< Of a block.
constexpr unsigned kResidentBlocks = 2;  ///< Of so many threads, that share an SM's registers: 64 are enough.

/// How rows are cut. A short row is for one warp, and a block has several warps. A longer row is for all threads of a
/// block, and a row that is longer still for all threads of several blocks.
struct Cut {
  dim3 block;             ///< In x the threads of a row, a multiple of 32. In y the rows of a block.
  unsigned blocks_a_row;  ///< More than 1: then a block has one row at a time.
};

inline Cut cut_rows(std::size_t columns, unsigned block_size) {
  constexpr std::size_t kOfWarp = 32 * kNumbers;
  const std::size_t warps = (columns + kOfWarp - 1) / kOfWarp, most = block_size / 32;
  if (warps == 1) return {dim3(32, std::min(block_size, 256u) / 32), 1};
  const std::size_t blocks = (warps + most - 1) / most;
  return {dim3(static_cast<unsigned>(32 * ((warps + blocks - 1) / blocks)), 1), static_cast<unsigned>(blocks)};
}

/// Whether every row of a matrix begins at a multiple of 16 bytes and ends at one.
inline bool holds_vectors(const float* data, std::size_t columns, std::size_t pitch) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && columns % 4 == 0 && pitch % 4 == 0;
}

/// The part of a row that a block has, in vectors: from `begin` to before `end`.
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
template <typename Vector>
__device__ void store(float (&numbers)[kNumbers], float factor, Vector* row, Part part) {
  constexpr unsigned kWidth = sizeof(Vector) / sizeof(float);
#pragma unroll
  for (unsigned k = 0; k < kNumbers / kWidth; ++k) {
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
