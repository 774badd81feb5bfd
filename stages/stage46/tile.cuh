// SPDX-License-Identifier: MIT
// The tile of an image in shared memory, with all pixels that a filter wants, and which pixels a thread computes.
#pragma once

#include <cstddef>

#include "workbook/student/grids/convolution.h"

constexpr unsigned kThreadsAcross = 16;
constexpr unsigned kRows = 4;                     // of the output, of one thread
constexpr unsigned kVectors = 2;                  // of 4 pixels, in each of these rows
constexpr unsigned kApart = 4 * kThreadsAcross;   // columns from one vector of a thread to the next
constexpr unsigned kColumns = kVectors * kApart;  // of a tile
constexpr unsigned kTilePitch = kColumns + 32;    // a row of a tile, with up to 30 columns beside it

/// Row y of the tile, in shared memory.
__device__ inline float* row_of(float* tile, unsigned y) { return tile + y * kTilePitch; }

/// Loads the pixels from row `top` and column `left` of the image on: `rows` rows of `columns`. A place outside of the
/// image gets the nearest pixel. `top` and `left` may be below 0. A warp takes a row, and a lane the same columns in
/// each.
__device__ inline void load_tile(workbook::ConstMatrix image, int top, int left, unsigned rows, unsigned columns,
                                 float* tile) {
  constexpr unsigned kOfLane = kTilePitch / 32;
  const int last_row = static_cast<int>(image.rows) - 1, last_column = static_cast<int>(image.columns) - 1;
  const unsigned threads = blockDim.x * blockDim.y, thread = threadIdx.y * blockDim.x + threadIdx.x;
  int column[kOfLane];
#pragma unroll
  for (unsigned i = 0; i < kOfLane; ++i) {
    column[i] = min(max(left + static_cast<int>(thread % 32 + 32 * i), 0), last_column);
  }
#pragma unroll 4
  for (unsigned y = thread / 32; y < rows; y += threads / 32) {
    const float* const from = image.data + min(max(top + static_cast<int>(y), 0), last_row) * image.pitch;
    float* const to = row_of(tile, y) + thread % 32;
#pragma unroll
    for (unsigned i = 0; i < kOfLane; ++i) {
      if (thread % 32 + 32 * i < columns) to[32 * i] = from[column[i]];
    }
  }
}

/// Stores four pixels from row y and column x on, as far as the image has them.
__device__ inline void store_pixels(workbook::Matrix image, std::size_t y, std::size_t x, const float (&pixels)[4]) {
  if (y >= image.rows || x >= image.columns) return;
  float* const to = image.data + y * image.pitch + x;
  if (x + 4 <= image.columns) {
    __stcs(reinterpret_cast<float4*>(to), float4{pixels[0], pixels[1], pixels[2], pixels[3]});
    return;
  }
#pragma unroll
  for (unsigned i = 0; i < 3; ++i) {
    if (x + i < image.columns) to[i] = pixels[i];
  }
}
