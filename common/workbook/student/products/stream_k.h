// SPDX-License-Identifier: MIT
// A product of any shape, given to stage 23: the two kernels of stage 22, its plan and its launches. Here they take any
// loader and any output operator.
#pragma once

#include <algorithm>
#include <cstddef>

#include "workbook/student/gemm.h"
#include "workbook/student/products/edges.h"
#include "workbook/student/products/epilogue.h"
#include "workbook/student/products/mainloop.h"
#include "workbook/student/products/plan.h"
#include "workbook/student/products/tile_shape.h"
#include "workbook/student/products/work_partition.h"

namespace workbook::products {

/// Computes the elements of c by `output` of the sums, except for tiles that are cut. Launch: work.blocks blocks in one
/// dimension, and behind them those of the edges. Lines: a factor as lines of terms, as KnownLines in edges.h.
/// Output::identity(): the operator that stores the parts of a tile as they are. TileLoader<Shape>: as in mainloop.h.
template <class Shape, template <class> class TileLoader, class Lines, class Output>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocksAnSm)
    multiply_share(Lines a, Lines b, Matrix c, Output output, WorkPartition work, EdgeBlocks of_edges,
                   float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Shape>& tiles = *reinterpret_cast<Tiles<Shape>*>(memory);
  if (blockIdx.x >= work.blocks) {
    return multiply_edge(a, b, c, work, of_edges, reinterpret_cast<float*>(memory), output);
  }
  const ThreadTile<Shape> own_tile(tiles);
  std::size_t at = blockIdx.x * work.share;
  const std::size_t end = min(at + work.share, work.length());
  while (at < end) {
    const std::size_t tile = at / work.k_tiles, first = at % work.k_tiles;
    const auto k_tiles = static_cast<int>(min(end - at, work.k_tiles - first));
    Corner corner = corner_of(work, static_cast<int>(tile));
    TileLoader<Shape> loader(a, b, tiles, corner, first * Shape::kTileTerms, k_tiles);
    float sums[Shape::kRows][Shape::kColumns] = {};
    add_k_tiles<Shape>(sums, loader, k_tiles, own_tile);
    Matrix target = c;
    Output how = output;
    bool as_vectors = is_whole(c, work, corner);
    if (k_tiles < work.k_tiles) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part(work, blockIdx.x, tile), Shape::kHeight, Shape::kWidth, Shape::kWidth};
      corner = {0, 0};
      how = Output::identity();
      as_vectors = true;
    }
    store_sums<Shape>(target, as_vectors, corner, tiles, own_tile, sums, how);
    at += k_tiles;
    __syncthreads();  // all threads have stored: the next tile's k-tiles may come
  }
}

constexpr int kAddingWarps = 8;

/// Adds up the parts of the tiles that are cut, in the order of their terms. Launch: blocks of kAddingWarps warps. A
/// warp has 128 neighbouring numbers of a tile, a vector a lane. Where a tile has many parts, all warps of a block have
/// the same numbers, and `sharers` warps have different parts.
template <class Output>
__global__ void __launch_bounds__(kAddingWarps* kWarp)
    add_parts(Matrix c, Output output, WorkPartition work, const float* partials, int sharers) {
  __shared__ float4 of_warp[kAddingWarps][kWarp];
  constexpr int kNumbers = kWarp * kVector;
  const int groups_of_tile = work.tile_height * work.tile_width / kNumbers;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int group = static_cast<int>(blockIdx.x) * (kAddingWarps / sharers) + warp / sharers;
  const std::size_t tile = group / groups_of_tile;
  const int place = group % groups_of_tile * kNumbers + lane * kVector;
  const std::size_t first = tile * work.k_tiles / work.share;
  const std::size_t parts = ((tile + 1) * work.k_tiles - 1) / work.share - first + 1;
  if (tile >= work.tiles() || parts == 1) return;  // the same for all warps that share: no warp waits for them

  const int sharer = warp % sharers;
  float4 sum{};
  const std::size_t end = first + parts * (sharer + 1) / sharers;
#pragma unroll 8
  for (std::size_t block = first + parts * sharer / sharers; block < end; ++block) {
    const auto* const from = reinterpret_cast<const float4*>(partials + place_of_part(work, block, tile) + place);
    add(sum, __ldcg(from));
  }
  if (sharers > 1) {
    of_warp[warp][lane] = sum;
    __syncthreads();
    if (sharer > 0) return;
    for (int other = 1; other < sharers; ++other) add(sum, of_warp[other][lane]);
  }
  const Corner corner = corner_of(work, static_cast<int>(tile));
  store_four(c, is_whole(c, work, corner), corner.top + place / work.tile_width, corner.left + place % work.tile_width,
             sum, output);
}

/// A tile a block. Where there are no terms, each tile has one k-tile, without terms.
template <class Shape>
WorkPartition make_partition(const Matrix& c, std::size_t terms) {
  const auto in_tiles = [](std::size_t extent, std::size_t tile) {
    return extent > tile && extent % tile <= kThin ? extent / tile * tile : extent;
  };
  WorkPartition work{};
  work.tile_height = Shape::kHeight;
  work.tile_width = Shape::kWidth;
  work.height = in_tiles(c.rows, Shape::kHeight);
  work.width = in_tiles(c.columns, Shape::kWidth);
  work.tiles_down = static_cast<int>(divide_up(work.height, Shape::kHeight));
  work.tiles_across = static_cast<int>(divide_up(work.width, Shape::kWidth));
  work.k_tiles = std::max<std::size_t>(1, divide_up(terms, Shape::kTileTerms));
  work.cut_into(work.k_tiles);
  return work;
}

/// The cheaper one of two plans: a tile a block, or equal shares of all k-tiles.
template <class Shape>
Plan plan_for(const Matrix& c, std::size_t terms, std::size_t room, std::size_t multiprocessors) {
  Plan plan{make_partition<Shape>(c, terms), 0.0};
  WorkPartition& work = plan.work;
  const double of_k_tile = Shape::kHeight * Shape::kWidth * Shape::kTileTerms / (kPeak * Shape::kCost.speed);
  const double of_tile = of_k_tile * static_cast<double>(work.k_tiles) + Shape::kCost.fill;
  plan.cycles = static_cast<double>(divide_up(work.tiles(), multiprocessors)) * of_tile;

  const std::size_t blocks = most_sharing_blocks<Shape>(work, room, multiprocessors);
  if (blocks == 0) return plan;
  const std::size_t share = std::max(divide_up(work.length(), blocks), kLeastShare);
  const double in_shares =
      static_cast<double>(work.length()) * of_k_tile / multiprocessors + 2 * Shape::kCost.fill + kAddingParts;
  if (share != work.k_tiles && in_shares < 0.9 * plan.cycles) {
    work.cut_into(share);
    plan.cycles = in_shares;
  }
  return plan;
}

template <class Shape, template <class> class TileLoader, class Lines, class Output>
void launch_shares(const Lines& a, const Lines& b, Matrix c, Output output, const WorkPartition& work, float* partials,
                   cudaStream_t stream) {
  const auto kernel = multiply_share<Shape, TileLoader, Lines, Output>;
  allow_shared_memory(kernel, sizeof(Tiles<Shape>));
  const EdgeBlocks of_edges = blocks_of_edges(a, b, work, Shape::kThreads);
  const unsigned blocks = work.blocks + count_blocks(of_edges, c, work);
  kernel<<<blocks, Shape::kThreads, sizeof(Tiles<Shape>), stream>>>(a, b, c, output, work, of_edges, partials);
  CUDA_CHECK(cudaGetLastError());
}

/// Nothing where no tile is cut.
template <class Output>
void launch_adding(Matrix c, Output output, const WorkPartition& work, const float* partials, cudaStream_t stream) {
  if (!work.is_cut()) return;
  constexpr std::size_t kManyParts = 16;
  const std::size_t groups_of_tile = work.tile_height * work.tile_width / (kWarp * kVector);
  const int sharers = work.k_tiles / work.share >= kManyParts ? kAddingWarps : 1;
  const std::size_t blocks = divide_up(work.tiles() * groups_of_tile, kAddingWarps / sharers);
  add_parts<<<static_cast<unsigned>(blocks), kAddingWarps * kWarp, 0, stream>>>(c, output, work, partials, sharers);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace workbook::products
