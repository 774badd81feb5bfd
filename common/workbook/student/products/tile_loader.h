// SPDX-License-Identifier: MIT
// The loader of stage 22, given: A and B stored as they are, row by row.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>
#include <cstdint>

#include "workbook/student/matrix.h"
#include "workbook/student/products/async_copy.h"
#include "workbook/student/products/tile_shape.h"
#include "workbook/student/products/work_partition.h"

namespace workbook::products {

/// Whether the rows of B hold vectors. Only a shape with kAnyLayout computes a product where they do not.
inline bool has_vectors_in_rows(const ConstMatrix& b) {
  return b.pitch % kVector == 0 && b.columns >= kVector && b.columns % kVector == 0 &&
         reinterpret_cast<std::uintptr_t>(b.data) % sizeof(float4) == 0;
}

/// TileLoader: what one thread brings of each k-tile (CUTLASS: the iterators over the tiles of A and B). Rows of A and
/// columns of B that do not exist are taken from the last one that does. They only come to sums that are never stored.
/// Terms that do not exist are zeros. Rows of B come as vectors where they hold vectors, else as single numbers.
template <class Shape>
class TileLoader {
 public:
  static constexpr int kUnrolled = Shape::kSlots;

  /// For `k_tiles` k-tiles of the tile at `corner`, of which the first begins with term `first`. Behind the last of
  /// them it brings nothing.
  __device__ TileLoader(const ConstMatrix& a, const ConstMatrix& b, bool has_vectors, Tiles<Shape>& tiles,
                        Corner corner, std::size_t first, int k_tiles)
      : has_vectors_(!Shape::kAnyLayout || has_vectors),
        pitch_b_(b.pitch),
        to_a_(shared_address(&tiles.a[0][term_a()][row_a()])),
        terms_left_(static_cast<int>(a.columns - first)),
        k_tiles_left_(k_tiles) {
#pragma unroll
    for (int i = 0; i < kCopiesOfA; ++i) {
      const std::size_t row = min(corner.top + row_a() + i * kRowsAtATime, a.rows - 1);
      from_a_[i] = a.data + row * a.pitch + first + term_a();
    }
    const int floats = has_vectors_ ? kVector : 1;  // of a copy of B
    term_b_ = threadIdx.x * floats / Shape::kWidth;
    const int column = threadIdx.x * floats % Shape::kWidth;
    to_b_ = shared_address(&tiles.b[0][term_b_][column]);
    from_b_ = b.data + (first + term_b_) * b.pitch + min(corner.left + column, b.columns - floats);
  }

  __device__ void bring(int slot, int part) {
    if (k_tiles_left_ > 0) {
      bring_a(slot, part);
      if (has_vectors_) {
        bring_b<kVector>(slot, part);
      } else {
        bring_b<1>(slot, part);
      }
    }
  }
  __device__ void next_k_tile() {
    __pipeline_commit();
    --k_tiles_left_;
    terms_left_ -= static_cast<int>(Shape::kTileTerms);
#pragma unroll
    for (int i = 0; i < kCopiesOfA; ++i) from_a_[i] += Shape::kTileTerms;
    from_b_ += Shape::kTileTerms * pitch_b_;
  }

 private:
  // A warp brings 4 rows of 8 numbers of A at a time.
  static constexpr int kEight = 8, kRowsAtATime = Shape::kThreads / kEight;
  static constexpr int kCopiesOfA = Shape::kHeight / kRowsAtATime;
  static_assert(Shape::kThreads % Shape::kWidth == 0 && Shape::kHeight % kRowsAtATime == 0);
  static __device__ int term_a() { return threadIdx.x % kEight; }
  static __device__ int row_a() { return threadIdx.x / kEight; }

  __device__ void bring_a(int slot, int part) {
    int copy = 0;
#pragma unroll
    for (int k = 0; k < Shape::kTileTerms; k += kEight) {
#pragma unroll
      for (int i = 0; i < kCopiesOfA; ++i) {
        if (copy++ % Shape::kParts != part) continue;
        const int place = (slot * Shape::kTileTerms + k) * Tiles<Shape>::kWidthOfA + i * kRowsAtATime;
        copy_or_zero<sizeof(float)>(to_a_ + place * sizeof(float), from_a_[i] + k, k + term_a() < terms_left_);
      }
    }
  }
  template <int kFloats>
  __device__ void bring_b(int slot, int part) {
    constexpr int kTermsAtATime = Shape::kThreads * kFloats / Shape::kWidth;
    int copy = 0;
#pragma unroll
    for (int k = 0; k < Shape::kTileTerms; k += kTermsAtATime) {
      if ((copy++ + Shape::kParts / 2) % Shape::kParts != part) continue;
      const int place = (slot * Shape::kTileTerms + k) * Tiles<Shape>::kWidthOfB;
      copy_or_zero<sizeof(float) * kFloats>(to_b_ + place * sizeof(float), from_b_ + k * pitch_b_,
                                            k + term_b_ < terms_left_);
    }
  }

  bool has_vectors_;  // B
  const float* from_a_[kCopiesOfA];
  const float* from_b_;
  std::size_t pitch_b_;
  int to_a_, to_b_;  // in the first slot
  int term_b_;
  int terms_left_;    // of k, and less than none behind them
  int k_tiles_left_;  // signed: it goes below 0 behind the last
};

}  // namespace workbook::products
