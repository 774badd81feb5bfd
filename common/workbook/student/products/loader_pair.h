// SPDX-License-Identifier: MIT
// The loaders of both factors as one, given to stage 23.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

#include "workbook/student/products/tile_shape.h"
#include "workbook/student/products/work_partition.h"

namespace workbook::products {

/// LoaderPair: brings the k-tiles of both factors, as mainloop.h asks for. Each loader brings those of its own factor.
template <class Shape, class LoaderOfA, class LoaderOfB>
class LoaderPair {
 public:
  // The k-tiles that begin are unrolled, or, where each copy has a question, a loop: unrolled, it is more to compile.
  static constexpr int kUnrolled = Shape::kAnyLayout ? 1 : Shape::kSlots;

  /// For `k_tiles` k-tiles of the tile at `corner`, of which the first begins with term `first`. Behind the last of
  /// them it brings nothing.
  template <class Lines>
  __device__ LoaderPair(const Lines& a, const Lines& b, Tiles<Shape>& tiles, Corner corner, std::size_t first,
                        int k_tiles)
      : a_(a, tiles.a, corner.top, first), b_(b, tiles.b, corner.left, first), k_tiles_left_(k_tiles) {}

  __device__ void bring(int slot, int part) {
    if (k_tiles_left_ > 0) {
      a_.bring(slot, part);
      b_.bring(slot, (part + Shape::kParts / 2) % Shape::kParts);
    }
  }
  __device__ void next_k_tile() {
    __pipeline_commit();
    --k_tiles_left_;
    a_.next_k_tile();
    b_.next_k_tile();
  }

 private:
  LoaderOfA a_;
  LoaderOfB b_;
  int k_tiles_left_;  // signed: it goes below 0 behind the last
};

}  // namespace workbook::products
