// SPDX-License-Identifier: MIT
// The loop over k-tiles, given to stages 22 and 23 (CUTLASS: the mainloop). It is the pipeline of stage 21, for every
// tile shape.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "workbook/student/products/tile_shape.h"

namespace workbook::products {

template <int kFloats>
__device__ void read_group(float* to, const float* from) {
  if constexpr (kFloats == 4) {
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
  } else {
    for (int i = 0; i < kFloats; ++i) to[i] = from[i];
  }
}

/// Reads what a thread needs for term k of its slice, from the tiles in `slot`.
template <class Shape>
__device__ void read_fragments(float (&of_a)[Shape::kRows], float (&of_b)[Shape::kColumns], int slot, int k,
                               const ThreadTile<Shape>& own_tile) {
  const int term = slot * Shape::kTileTerms + k;
#pragma unroll
  for (int r = 0; r < Shape::kRows; r += ThreadTile<Shape>::kDownGroup) {
    read_group<ThreadTile<Shape>::kDownGroup>(
        of_a + r, own_tile.a + term * Tiles<Shape>::kWidthOfA + own_tile.row(r) - own_tile.first_row);
  }
#pragma unroll
  for (int s = 0; s < Shape::kColumns; s += ThreadTile<Shape>::kAcrossGroup) {
    read_group<ThreadTile<Shape>::kAcrossGroup>(
        of_b + s, own_tile.b + term * Tiles<Shape>::kWidthOfB + own_tile.column(s) - own_tile.first_column);
  }
}

/// One term for all sums of a thread, in the order of stage 21: down one column and up the next.
template <int kRows, int kColumns>
__device__ void multiply_add(float (&sums)[kRows][kColumns], const float (&of_a)[kRows],
                             const float (&of_b)[kColumns]) {
#pragma unroll
  for (int column = 0; column < kColumns; ++column) {
#pragma unroll
    for (int step = 0; step < kRows; ++step) {
      const int row = column % 2 == 0 ? step : kRows - 1 - step;
      sums[row][column] += of_a[row] * of_b[column];
    }
  }
}

/// Adds the terms of the next `k_tiles` k-tiles of `loader` to `sums`. All threads of the block call it. A loader has
///
/// * bring(slot, part): starts a part of the copies of its next k-tile into a slot of the ring, or nothing behind its
///   last k-tile;
/// * next_k_tile(): closes these copies as a group, and goes on;
/// * kUnrolled: how far the loop over the first k-tiles is unrolled.
template <class Shape, class Loader>
__device__ void add_k_tiles(float (&sums)[Shape::kRows][Shape::kColumns], Loader& loader, int k_tiles,
                            const ThreadTile<Shape>& own_tile) {
  constexpr int kSlots = Shape::kSlots, kTerms = Shape::kTerms, kTermsOfPart = kTerms / Shape::kParts;
  float of_a[2][Shape::kRows], of_b[2][Shape::kColumns];
#pragma unroll(Loader::kUnrolled)
  for (int slot = 0; slot < kSlots - 1; ++slot) {
#pragma unroll
    for (int part = 0; part < Shape::kParts; ++part) loader.bring(slot, part);
    loader.next_k_tile();
  }
  __pipeline_wait_prior(kSlots - 2);
  __syncthreads();
  read_fragments<Shape>(of_a[0], of_b[0], 0, 0, own_tile);
  int now = 0, free = kSlots - 1;
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
#pragma unroll
    for (int k = 0; k < kTerms; ++k) {
      if (k == kTerms - 1) {
        __pipeline_wait_prior(kSlots - 3);
        __syncthreads();
        now = now == kSlots - 1 ? 0 : now + 1;
      }
      read_fragments<Shape>(of_a[(k + 1) % 2], of_b[(k + 1) % 2], now, (k + 1) % kTerms, own_tile);
      multiply_add(sums, of_a[k % 2], of_b[k % 2]);
      if (k % kTermsOfPart == 0) loader.bring(free, k / kTermsOfPart);
    }
    loader.next_k_tile();
    free = free == kSlots - 1 ? 0 : free + 1;
  }
}

}  // namespace workbook::products
