// SPDX-License-Identifier: MIT
// How a block computes its tile of C, given to stages 22 and 23. TileShape has the numbers, Tiles the shared memory,
// and ThreadTile the elements of one thread.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::products {

// Indices are int here: unsigned ones may wrap, which keeps the compiler from folding addresses.
constexpr int kWarp = 32;
constexpr int kVector = 4;  ///< floats of a vector

/// TileShape: how a block computes its tile of C, the CTA tile of kHeight x kWidth (CUTLASS: GemmShape).
///
/// * kDown x kAcross warps lie over the tile, and the lanes of a warp are kLanesDown x kLanesAcross. So a thread has
///   the thread tile of kRows x kColumns sums.
/// * kSlices groups of warps have the same sums (sliced-K). Each has its own kTerms terms of a k-tile. At the end their
///   sums are added.
/// * The copies of a k-tile are started in kParts parts. They go into a ring of kSlots slots.
/// * In the epilogue the sums go to C through shared memory, kRowsAtOnce rows of a thread at a time; 0: directly.
/// * kAnyLayout: a loader learns at run time how the factors are stored. Else it knows.
template <int kHeight_, int kWidth_, int kDown_, int kAcross_, int kLanesDown_, int kSlices_, int kTerms_, int kParts_,
          int kSlots_, int kBlocksAnSm_, int kRowsAtOnce_, bool kAnyLayout_>
struct TileShape {
  static constexpr int kHeight = kHeight_, kWidth = kWidth_, kDown = kDown_, kAcross = kAcross_;
  static constexpr int kLanesDown = kLanesDown_, kLanesAcross = kWarp / kLanesDown_;
  static constexpr int kSlices = kSlices_, kTerms = kTerms_, kParts = kParts_, kSlots = kSlots_;
  static constexpr int kBlocksAnSm = kBlocksAnSm_, kRowsAtOnce = kRowsAtOnce_;
  static constexpr bool kAnyLayout = kAnyLayout_;
  static constexpr int kThreads = kDown * kAcross * kSlices * kWarp;
  static constexpr int kRows = kHeight / (kDown * kLanesDown), kColumns = kWidth / (kAcross * kLanesAcross);
  static constexpr int kTileTerms = kTerms * kSlices;  ///< terms of a k-tile
};

/// The tiles of A and B that a k-tile needs, in each slot of the ring (CUTLASS: shared storage). For each term they
/// hold its element in every row of A, and in every column of B. The padding of the widths puts what a warp brings at a
/// time into different banks, where A and B are stored as they are.
template <class Shape>
struct Tiles {
  static constexpr int kWidthOfA = Shape::kHeight + kVector, kWidthOfB = Shape::kWidth + 8;
  float a[Shape::kSlots][Shape::kTileTerms][kWidthOfA];
  float b[Shape::kSlots][Shape::kTileTerms][kWidthOfB];
};

/// ThreadTile: which elements of the CTA tile a thread has. These are rows and columns in groups of up to four, and the
/// terms of one slice.
template <class Shape>
struct ThreadTile {
  static constexpr int kDownGroup = Shape::kRows < kVector ? Shape::kRows : kVector;
  static constexpr int kAcrossGroup = Shape::kColumns < kVector ? Shape::kColumns : kVector;
  int slice, lane_down, warp_down, first_row, first_column;
  const float* a;  ///< what it reads first of the tiles: for all else constants are added to the address
  const float* b;

  __device__ explicit ThreadTile(const Tiles<Shape>& tiles) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    slice = warp / (Shape::kDown * Shape::kAcross);
    warp_down = warp / Shape::kAcross % Shape::kDown;
    lane_down = lane / Shape::kLanesAcross;
    first_row = warp_down * (Shape::kHeight / Shape::kDown) + lane_down * kDownGroup;
    first_column = warp % Shape::kAcross * (Shape::kWidth / Shape::kAcross) + lane % Shape::kLanesAcross * kAcrossGroup;
    a = &tiles.a[0][slice * Shape::kTerms][first_row];
    b = &tiles.b[0][slice * Shape::kTerms][first_column];
  }
  __device__ int row(int r) const {
    return first_row + r / kDownGroup * (kDownGroup * Shape::kLanesDown) + r % kDownGroup;
  }
  __device__ int column(int s) const {
    return first_column + s / kAcrossGroup * (kAcrossGroup * Shape::kLanesAcross) + s % kAcrossGroup;
  }
};

}  // namespace workbook::products
