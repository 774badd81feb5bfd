// SPDX-License-Identifier: MIT
// The tiles of A and B in shared memory, and the copies that bring them: those of stage 21, with more terms a k-tile.
// This header is a part of todo.cu: it is included once, and has no include guard.

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "shape.cuh"
#include "workbook/student/matmul.h"

/// The vector behind each row puts eight rows of A, and four of B, into different banks.
constexpr unsigned padded(unsigned length) { return length + kVector; }

template <unsigned kTerms_>
struct TilesOf {
  static constexpr unsigned kTerms = kTerms_;
  static constexpr unsigned kSteps = kTerms / kPieceTerms;  ///< Each takes 8 terms of the k-tile.
  float a[kSlots][kHeight][padded(kTerms)];
  float b[kSlots][kTerms][padded(kWidth)];
};
using LargeTiles = TilesOf<32>;  ///< 151.5 KiB.
using SmallTiles = TilesOf<16>;  ///< 78.75 KiB, for a GPU whose blocks have less: 99 KiB, for example.

/// TileLoader: what one thread brings of each k-tile (CUTLASS: the iterators over the tiles of A and B). It brings some
/// vectors, or single numbers, of A and of B, in kSteps parts. If kWhole, all of them exist, and lie at multiples of 16
/// bytes. Else a zero takes the place of a number that does not exist.
template <class Tiles, bool kWhole>
class TileLoader {
  static constexpr unsigned kTerms = Tiles::kTerms, kSteps = Tiles::kSteps;

 public:
  __device__ TileLoader(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, std::size_t top,
                        std::size_t left)
      : from_a_(a.data + (top + row_a()) * a.pitch + term_a()),
        from_b_(b.data + term_b() * b.pitch + left + column_b()),
        pitch_a_(a.pitch),
        pitch_b_(b.pitch),
        terms_left_(static_cast<unsigned>(a.columns)),
        rows_left_(static_cast<unsigned>(a.rows - top)),
        columns_left_(static_cast<unsigned>(b.columns - left)) {}

  // Starts one part of the copies of the next k-tile into `slot`.
  __device__ void bring(Tiles& tiles, unsigned slot, unsigned part) {
    if (terms_left_ > 0) {
      constexpr unsigned kPartOfA = kHeight / kSteps, kPartOfB = kTerms / kSteps;
#pragma unroll
      for (unsigned i = 0; i < kPartOfA; i += kRowsAtATime) {
        const unsigned r = part * kPartOfA + i;
        bring_one(&tiles.a[slot][row_a() + r][term_a()], from_a_ + r * pitch_a_,
                  row_a() + r < rows_left_ && term_a() < terms_left_);
      }
#pragma unroll
      for (unsigned i = 0; i < kPartOfB; i += kTermsAtATime) {
        const unsigned k = part * kPartOfB + i;
        bring_one(&tiles.b[slot][term_b() + k][column_b()], from_b_ + k * pitch_b_,
                  term_b() + k < terms_left_ && column_b() < columns_left_);
      }
    }
    if (part < kSteps - 1) return;
    __pipeline_commit();  // what was started since the last commit is one k-tile
    from_a_ += kTerms;
    from_b_ += kTerms * pitch_b_;
    terms_left_ -= min(terms_left_, kTerms);
  }

 private:
  static constexpr unsigned kNumbers = kWhole ? kVector : 1;  // of a copy
  static constexpr unsigned kRowsAtATime = kThreads * kNumbers / kTerms;
  static constexpr unsigned kTermsAtATime = kThreads * kNumbers / kWidth;
  static __device__ unsigned term_a() { return threadIdx.x * kNumbers % kTerms; }
  static __device__ unsigned row_a() { return threadIdx.x * kNumbers / kTerms; }
  static __device__ unsigned term_b() { return threadIdx.x * kNumbers / kWidth; }
  static __device__ unsigned column_b() { return threadIdx.x * kNumbers % kWidth; }

  // The last argument: how many of the bytes are not copied, but filled with zeros.
  static __device__ void bring_one(float* to, const float* from, bool exists) {
    if constexpr (kWhole) {
      __pipeline_memcpy_async(to, from, sizeof(float4));
    } else {
      __pipeline_memcpy_async(to, from, sizeof(float), exists ? 0 : sizeof(float));
    }
  }

  const float* from_a_;
  const float* from_b_;
  std::size_t pitch_a_, pitch_b_;
  unsigned terms_left_, rows_left_, columns_left_;
};
