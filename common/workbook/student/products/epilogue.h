// SPDX-License-Identifier: MIT
// From the sums of a block's threads to C, given to stages 22 and 23 (CUTLASS: the epilogue).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "workbook/student/matrix.h"
#include "workbook/student/products/tile_shape.h"
#include "workbook/student/products/work_partition.h"

namespace workbook::products {

/// An output operator makes an element of C of a sum (CUTLASS: the same). This one stores the sum as it is. Another one
/// may read `source`, the element of C before, where is_source_needed().
struct StoreSum {
  __device__ bool is_source_needed() const { return false; }
  __device__ float operator()(float sum, const float* /*source*/) const { return sum; }
};

/// Stores four neighbouring elements of c: as a vector, or else as far as they exist.
template <class Output = StoreSum>
__device__ void store_four(const Matrix& c, bool as_vector, std::size_t i, std::size_t j, float4 sums,
                           Output output = {}) {
  float* const to = c.data + i * c.pitch + j;
  if (as_vector) {
    float4 was{};
    if (output.is_source_needed()) was = *reinterpret_cast<const float4*>(to);
    const float4 values =
        make_float4(output(sums.x, &was.x), output(sums.y, &was.y), output(sums.z, &was.z), output(sums.w, &was.w));
    *reinterpret_cast<float4*>(to) = values;
    return;
  }
  if (i >= c.rows) return;
  const float numbers[kVector] = {sums.x, sums.y, sums.z, sums.w};
  for (int n = 0; n < kVector; ++n) {
    if (j + n < c.columns) to[n] = output(numbers[n], to + n);
  }
}

/// Whether all elements of the tile at `corner` exist, and each four of them are a vector.
inline __device__ bool is_whole(const Matrix& c, const WorkPartition& work, Corner corner) {
  return corner.top + work.tile_height <= c.rows && corner.left + work.tile_width <= c.columns &&
         c.pitch % kVector == 0 && reinterpret_cast<std::uintptr_t>(c.data) % sizeof(float4) == 0;
}

/// Four sums as a vector. A vector is stored from four registers side by side. Adding 0 gives it registers of its own.
/// Else the sums themselves may lie so all the time, in the same banks as the numbers of A and B. Then many
/// multiply-adds wait for a register.
inline __device__ float4 vector_of(const float* sums) {
  return make_float4(sums[0] + 0.0f, sums[1] + 0.0f, sums[2] + 0.0f, sums[3] + 0.0f);
}

inline __device__ void add(float4& sum, float4 part) {
  sum.x += part.x;
  sum.y += part.y;
  sum.z += part.z;
  sum.w += part.w;
}

/// How far the last loop of store_sums() is unrolled. That decides in which registers the mainloop has its numbers. The
/// values are measured.
template <class Shape, class Output>
constexpr int kStoresUnrolled = (Shape::kSlices == 1) == std::is_same_v<Output, StoreSum> ? 2 : 1;

/// Stores a tile into c, whose element (top, left) is the tile's first. The tile goes directly, or through the tiles'
/// shared memory, where the slices add up their sums. as_vectors: is_whole() of the tile. All threads of the block call
/// it, and a barrier follows before the tiles are filled again.
template <class Shape, class Output = StoreSum>
__device__ void store_sums(const Matrix& c, bool as_vectors, Corner corner, Tiles<Shape>& tiles,
                           const ThreadTile<Shape>& own_tile, const float (&sums)[Shape::kRows][Shape::kColumns],
                           Output output = {}) {
  if constexpr (Shape::kRowsAtOnce == 0) {
#pragma unroll
    for (int r = 0; r < Shape::kRows; ++r) {
#pragma unroll
      for (int s = 0; s < Shape::kColumns; s += kVector) {
        const float* const four = &sums[r][s];
        const bool are_stored = std::is_same_v<Output, StoreSum>;  // else the operator gives them other registers
        store_four(c, as_vectors, corner.top + own_tile.row(r), corner.left + own_tile.column(s),
                   are_stored ? vector_of(four) : make_float4(four[0], four[1], four[2], four[3]), output);
      }
    }
  } else {
    constexpr int kPadding = Shape::kLanesAcross * kVector % kWarp;
    using Row = float[Shape::kWidth + kPadding];
    constexpr int kAtOnce = Shape::kRowsAtOnce, kGroup = ThreadTile<Shape>::kDownGroup;
    constexpr int kRowsOfSlice = Shape::kDown * Shape::kLanesDown * kAtOnce;
    static_assert(Shape::kSlices * kRowsOfSlice * (Shape::kWidth + kPadding) * sizeof(float) <= sizeof(Tiles<Shape>));
    Row* const rows = reinterpret_cast<Row*>(&tiles);
    const int own = (own_tile.warp_down * Shape::kLanesDown + own_tile.lane_down) * kAtOnce;
#pragma unroll
    for (int first = 0; first < Shape::kRows; first += kAtOnce) {
      __syncthreads();
#pragma unroll
      for (int r = 0; r < kAtOnce; ++r) {
        Row& row = rows[own_tile.slice * kRowsOfSlice + own + r];
        const auto& numbers = sums[first + r];
#pragma unroll
        for (int s = 0; s < Shape::kColumns; s += kVector) {
          *reinterpret_cast<float4*>(&row[own_tile.column(s)]) = vector_of(&numbers[s]);
        }
      }
      __syncthreads();
#pragma unroll(kStoresUnrolled <Shape, Output>)
      for (int e = threadIdx.x * kVector; e < kRowsOfSlice * Shape::kWidth; e += Shape::kThreads * kVector) {
        const int from = e / Shape::kWidth, column = e % Shape::kWidth;
        float4 sum = *reinterpret_cast<const float4*>(&rows[from][column]);
#pragma unroll
        for (int slice = 1; slice < Shape::kSlices; ++slice) {
          add(sum, *reinterpret_cast<const float4*>(&rows[slice * kRowsOfSlice + from][column]));
        }
        const int thread = from / kAtOnce, r = first + from % kAtOnce;  // the thread that has this row of sums
        const int row = thread / Shape::kLanesDown * (Shape::kHeight / Shape::kDown) +
                        thread % Shape::kLanesDown * kGroup + r / kGroup * (kGroup * Shape::kLanesDown) + r % kGroup;
        store_four(c, as_vectors, corner.top + row, corner.left + column, sum, output);
      }
    }
  }
}

}  // namespace workbook::products
