// SPDX-License-Identifier: MIT
// Thin edges of C, for which whole tiles would be a waste, given to stages 22 and 23. Blocks of their own compute them.
// An edge is a row below the tiles or a column beside them. It is the product of one line of one factor with many lines
// of the other. Lines are rows of A or columns of B. A block has kLinesOfEdge of these a thread.
#pragma once

#include <cstddef>

#include "workbook/student/matrix.h"
#include "workbook/student/products/epilogue.h"
#include "workbook/student/products/tile_shape.h"
#include "workbook/student/products/work_partition.h"

namespace workbook::products {

constexpr int kLinesOfEdge = 8;

/// A factor as lines of terms, where the compiler knows that the terms of a line lie side by side, or that lines do.
template <bool kTermsAdjoin>
struct KnownLines {
  const float* data;
  std::size_t lines, terms, pitch;

  __host__ __device__ bool terms_adjoin() const { return kTermsAdjoin; }
  __host__ __device__ std::size_t from_line_to_line() const { return kTermsAdjoin ? pitch : 1; }
  __host__ __device__ std::size_t from_term_to_term() const { return kTermsAdjoin ? 1 : pitch; }
};
inline __host__ __device__ KnownLines<true> rows_of(const ConstMatrix& a) {
  return {a.data, a.rows, a.columns, a.pitch};
}
inline __host__ __device__ KnownLines<false> columns_of(const ConstMatrix& b) {
  return {b.data, b.columns, b.rows, b.pitch};
}

/// How many blocks there are for one edge, below or beside, and for all of them.
struct EdgeBlocks {
  int below, beside;
};
template <class LinesOfA, class LinesOfB>
EdgeBlocks blocks_of_edges(const LinesOfA& a, const LinesOfB& b, const WorkPartition& work, int threads) {
  const auto blocks = [threads](const auto& many, std::size_t lines) {
    const int at_once = (many.terms_adjoin() ? threads / kWarp : kWarp) * kLinesOfEdge;
    return static_cast<int>((lines + at_once - 1) / at_once);
  };
  return {blocks(b, work.width), blocks(a, a.lines)};
}
inline unsigned count_blocks(const EdgeBlocks& of_edges, const Matrix& c, const WorkPartition& work) {
  return static_cast<unsigned>((c.rows - work.height) * of_edges.below + (c.columns - work.width) * of_edges.beside);
}

/// Computes a part of an edge, as block blockIdx.x - work.blocks of those of the edges. The lanes of a warp go along
/// what lies side by side in memory. Either they go along the lines, and the warps share the terms. Or they go along
/// the terms, and each warp has lines of its own. `memory`: shared memory.
template <class LinesOfA, class LinesOfB, class Output = StoreSum>
__device__ __noinline__ void multiply_edge(LinesOfA a, LinesOfB b, Matrix c, WorkPartition work, EdgeBlocks blocks,
                                           float* memory, Output output = {}) {
  int block = blockIdx.x - work.blocks;
  const int blocks_below = static_cast<int>(c.rows - work.height) * blocks.below;
  const bool is_below = block < blocks_below;
  if (!is_below) block -= blocks_below;
  const int of_edge = is_below ? blocks.below : blocks.beside;
  const std::size_t edge = (is_below ? work.height : work.width) + block / of_edge;
  const std::size_t lines = is_below ? work.width : c.rows;
  const float* const one = is_below ? a.data + edge * a.from_line_to_line() : b.data + edge * b.from_line_to_line();
  const std::size_t step_of_one = is_below ? a.from_term_to_term() : b.from_term_to_term();
  const std::size_t step_of_many = is_below ? b.from_term_to_term() : a.from_term_to_term();

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const bool along_lines = is_below ? !b.terms_adjoin() : !a.terms_adjoin();
  const int own = along_lines ? lane : warp, at_once = along_lines ? kWarp : warps;  // lines
  const int sharer = along_lines ? warp : lane, sharers = along_lines ? warps : kWarp;
  const std::size_t first = std::size_t{kLinesOfEdge} * at_once * (block % of_edge);
  const float* from[kLinesOfEdge];
  float sums[kLinesOfEdge] = {};
#pragma unroll
  for (int n = 0; n < kLinesOfEdge; ++n) {
    const std::size_t of_many = min(first + n * at_once + own, lines - 1);
    from[n] = is_below ? b.data + of_many * b.from_line_to_line() : a.data + of_many * a.from_line_to_line();
  }
  constexpr std::size_t kTermsAtOnce = 2048;
  for (std::size_t begin = 0; begin < a.terms; begin += kTermsAtOnce) {
    const int terms = static_cast<int>(min(kTermsAtOnce, a.terms - begin));
    for (int k = threadIdx.x; k < terms; k += blockDim.x) memory[k] = one[(begin + k) * step_of_one];
    __syncthreads();
#pragma unroll 8
    for (int k = sharer; k < terms; k += sharers) {
#pragma unroll
      for (int n = 0; n < kLinesOfEdge; ++n) sums[n] += memory[k] * from[n][(begin + k) * step_of_many];
    }
    __syncthreads();
  }
#pragma unroll
  for (int n = 0; n < kLinesOfEdge; ++n) memory[(n * at_once + own) * (sharers + 1) + sharer] = sums[n];
  __syncthreads();
  for (int n = threadIdx.x; n < kLinesOfEdge * at_once && first + n < lines; n += blockDim.x) {
    float sum = 0.0f;
    for (int part = 0; part < sharers; ++part) sum += memory[n * (sharers + 1) + part];
    float* const to = c.data + (is_below ? edge * c.pitch + first + n : (first + n) * c.pitch + edge);
    *to = output(sum, to);
  }
}

}  // namespace workbook::products
