// SPDX-License-Identifier: MIT
// What surrounds the pipeline of stage 21, given to it: the tiles in shared memory, what a thread brings, what it reads
// and multiplies, and its way to C.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "workbook/student/matrix.h"

namespace workbook::pipeline {

constexpr unsigned kWarp = 32;
constexpr unsigned kVector = 4;  ///< floats of a vector
constexpr unsigned kTerms = 8;   ///< of a k-tile
constexpr unsigned kSlots = 3;   ///< of the ring: pairs of tiles in shared memory, one in use, two on their way
constexpr unsigned kRows = 8;    ///< of a thread's sums
constexpr unsigned kColumns = 16;
constexpr unsigned kLanesDown = 8, kLanesAcross = 4;  ///< a warp's lanes over its part of C: 64 x 64 elements
constexpr unsigned kWarpSide = kRows * kLanesDown;    ///< which is kColumns * kLanesAcross

/// A tile of C (the CTA tile) for kDown x kAcross warps, and the two tiles of A and B that a k-tile needs, for each
/// slot of the ring. A is stored transposed: its elements of one column, which a thread wants together, lie side by
/// side. The four floats behind them put the eight columns that a warp brings at a time into different banks.
template <unsigned kDown, unsigned kAcross>
struct Tiles {
  static constexpr unsigned kHeight = kDown * kWarpSide, kWidth = kAcross * kWarpSide;
  static constexpr unsigned kThreads = kDown * kAcross * kWarp;
  float a[kSlots][kTerms][kHeight + kVector];
  float b[kSlots][kTerms][kWidth];
};

/// TileLoader: what one thread brings of each k-tile (CUTLASS: the iterators over the tiles of A and B). It brings one
/// number of A in each of several rows, and several vectors of B:
///
///   A: term term_a() in the rows row_a() + i * kRowsAtATime of the tile, from from_a + i * kRowsAtATime * pitch_a
///   B: the four numbers from column column_b() on, of the terms term_b() + i * kTermsAtATime, from
///      from_b + i * kTermsAtATime * pitch_b
///
/// A number exists where its term is below terms_left, its row below rows_left, and its column below columns_left.
template <class Tile>
struct TileLoader {
  // A warp takes 4 rows of 8 numbers of A, and 128 numbers of a row of B.
  static constexpr unsigned kRowsAtATime = Tile::kThreads / kTerms;
  static constexpr unsigned kVectorsARow = Tile::kWidth / kVector;
  static constexpr unsigned kTermsAtATime = Tile::kThreads / kVectorsARow;

  const float* from_a;
  const float* from_b;
  std::size_t pitch_a, pitch_b;
  std::size_t terms_left, rows_left, columns_left;  ///< from this k-tile on, and from the tile's corner on

  __device__ TileLoader(const ConstMatrix& a, const ConstMatrix& b, std::size_t top, std::size_t left)
      : from_a(a.data + (top + row_a()) * a.pitch + term_a()),
        from_b(b.data + term_b() * b.pitch + left + column_b()),
        pitch_a(a.pitch),
        pitch_b(b.pitch),
        terms_left(a.columns),
        rows_left(a.rows - top),  // there is a tile, so there is a first row, and a first column
        columns_left(b.columns - left) {}

  static __device__ unsigned term_a() { return threadIdx.x % kTerms; }
  static __device__ unsigned row_a() { return threadIdx.x / kTerms; }
  static __device__ unsigned term_b() { return threadIdx.x / kVectorsARow; }
  static __device__ unsigned column_b() { return threadIdx.x % kVectorsARow * kVector; }

  /// Closes the copies of this k-tile as a group, and goes on to the next one.
  __device__ void next_k_tile() {
    __pipeline_commit();
    from_a += kTerms;
    from_b += kTerms * pitch_b;
    terms_left -= terms_left < kTerms ? terms_left : kTerms;
  }
};

/// Reads what a thread needs for term k of the k-tile in `slot`. That is a float4 of each group of its rows and of its
/// columns. `row` and `column`: its first ones in the tile.
template <class Tile>
__device__ void read(float (&of_a)[kRows], float (&of_b)[kColumns], const Tile& tile, unsigned slot, unsigned k,
                     unsigned row, unsigned column) {
#pragma unroll
  for (unsigned r = 0; r < kRows; r += kVector) {
    *reinterpret_cast<float4*>(of_a + r) = *reinterpret_cast<const float4*>(&tile.a[slot][k][row + r * kLanesDown]);
  }
#pragma unroll
  for (unsigned c = 0; c < kColumns; c += kVector) {
    *reinterpret_cast<float4*>(of_b + c) =
        *reinterpret_cast<const float4*>(&tile.b[slot][k][column + c * kLanesAcross]);
  }
}

/// 128 multiply-adds, column by column, up one and down the next. Two in a row share a factor, so
/// the GPU reads it from its registers once.
inline __device__ void multiply_add(float (&sums)[kRows][kColumns], const float (&of_a)[kRows],
                                    const float (&of_b)[kColumns]) {
#pragma unroll
  for (unsigned column = 0; column < kColumns; ++column) {
#pragma unroll
    for (unsigned step = 0; step < kRows; ++step) {
      const unsigned row = column % 2 == 0 ? step : kRows - 1 - step;
      sums[row][column] += of_a[row] * of_b[column];
    }
  }
}

/// Stores the sums in whole rows. The lanes of a warp have single numbers of eight rows, and would touch each sector
/// four times. So the sums go through the tiles' shared memory, one of each thread's rows at a time (the epilogue).
/// kWhole: all elements of the tile exist.
template <bool kWhole, class Tile>
__device__ void store_sums(const Matrix& c, std::size_t top, std::size_t left, Tile& tile, unsigned row,
                           unsigned column, const float (&sums)[kRows][kColumns]) {
  using Row = float[Tile::kWidth + 1];
  constexpr unsigned kRowsAtATime = Tile::kHeight / kRows;
  static_assert(kRowsAtATime * sizeof(Row) <= sizeof(Tile));
  Row* const rows = reinterpret_cast<Row*>(&tile);
  const unsigned own = row / kWarpSide * kLanesDown + row % kWarpSide / kVector;
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    __syncthreads();  // all threads have read the last terms, or stored the rows before
#pragma unroll
    for (unsigned s = 0; s < kColumns; ++s) {
      rows[own][column + s / kVector * (kVector * kLanesAcross) + s % kVector] = sums[r][s];
    }
    __syncthreads();
#pragma unroll 4
    for (unsigned e = threadIdx.x; e < kRowsAtATime * Tile::kWidth; e += Tile::kThreads) {
      const unsigned from = e / Tile::kWidth;
      const std::size_t i = top + from / kLanesDown * kWarpSide + from % kLanesDown * kVector +
                            r / kVector * (kVector * kLanesDown) + r % kVector;
      const std::size_t j = left + e % Tile::kWidth;
      if (kWhole || (i < c.rows && j < c.columns)) c.data[i * c.pitch + j] = rows[from][e % Tile::kWidth];
    }
  }
}

}  // namespace workbook::pipeline
