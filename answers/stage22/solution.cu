// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 22: a matrix product of every shape. It is the pipeline of stage 21, in several tile shapes. Where the tiles
// are too few for the device, several groups of warps, the slices, share the terms of a tile (sliced-K). Where even
// that leaves SMs without work, all k-tiles of all tiles are cut into equal shares, one a block (stream-K). A block
// leaves the partial sums of a cut tile in the workspace, and a second kernel adds up the parts. Thin edges, for which
// whole tiles would be a waste, have blocks of their own.
#include <algorithm>
#include <cstddef>

#include "workbook/student/gemm.h"
#include "workbook/student/products/edges.h"
#include "workbook/student/products/epilogue.h"
#include "workbook/student/products/mainloop.h"
#include "workbook/student/products/plan.h"
#include "workbook/student/products/tile_loader.h"
#include "workbook/student/products/tile_shape.h"
#include "workbook/student/products/work_partition.h"

using namespace workbook::products;
using workbook::ConstMatrix, workbook::Matrix;

//                    tile      warps  lanes slices terms parts slots  blocks an SM  rows at once  any layout
struct Large : TileShape<128, 256, 2, 4, 8, 1, 8, 8, 3, 1, 2, false> {
  static constexpr Cost kCost{0.82, 20'000};
};
struct Medium : TileShape<64, 128, 1, 4, 8, 1, 16, 4, 3, 3, 0, false> {
  static constexpr Cost kCost{0.72, 1'200};
};
struct MediumInSlices : TileShape<64, 128, 1, 4, 8, 2, 8, 2, 4, 1, 4, true> {
  static constexpr Cost kCost{0.72, 1'200};
};
struct Small : TileShape<32, 64, 1, 1, 4, 8, 8, 2, 3, 1, 8, true> {
  static constexpr Cost kCost{0.58, 3'000};
};
struct Tiny : TileShape<16, 32, 1, 1, 4, 4, 8, 2, 4, 4, 4, false> {
  static constexpr Cost kCost{0.35, 2'000};
};

// Where store_sums() stores the sums of a tile.
struct Target {
  Matrix matrix;
  Corner corner;
  bool as_vectors;
};

// Where this block stores its sums of `tile`, of which it has added `k_tiles` k-tiles.
template <class Shape>
__device__ Target target_of(const Matrix& c, const WorkPartition& work, std::size_t tile, int k_tiles,
                            float* partials) {
  const Corner corner = corner_of(work, static_cast<int>(tile));
  Target target{c, corner, is_whole(c, work, corner)};
  // BEGIN SOLUTION: step 3. Where these are not all k-tiles of the tile, the sums are a part. Its target is a
  //     Matrix{data, rows, columns, pitch} of its own, Shape::kHeight x Shape::kWidth, at place_of_part() of partials.
  //     All its elements exist, and each four are a vector.
  // UNTIL SOLVED: (void)k_tiles, (void)partials;  // delete this line in step 3
  if (k_tiles < work.k_tiles) {
    const Matrix part{partials + place_of_part(work, blockIdx.x, tile), Shape::kHeight, Shape::kWidth, Shape::kWidth};
    target = {part, {0, 0}, true};
  }
  // END SOLUTION
  return target;
}

// Computes c = a * b, except for tiles that are cut. Launch: work.blocks blocks in one dimension, and behind them those
// of the edges. has_vectors: has_vectors_in_rows(b).
template <class Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocksAnSm)
    multiply_share(ConstMatrix a, ConstMatrix b, bool has_vectors, Matrix c, WorkPartition work, EdgeBlocks of_edges,
                   float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Shape>& tiles = *reinterpret_cast<Tiles<Shape>*>(memory);
  if (blockIdx.x >= work.blocks) {
    return multiply_edge(rows_of(a), columns_of(b), c, work, of_edges, reinterpret_cast<float*>(memory));
  }
  const ThreadTile<Shape> own_tile(tiles);
  // BEGIN SOLUTION: step 1. This block's share is the k-tiles from blockIdx.x * work.share on. It has
  //     work.share k-tiles, or as many as are left of work.length(). Go through them tile by tile: of each tile, take
  //     the k-tiles that belong to the share. As in stage 21, use a TileLoader<Shape>, whose `first` is a term
  //     and not a k-tile, sums that begin at 0, add_k_tiles<Shape>() and store_sums<Shape>(), which stores to
  //     target_of<Shape>() of the tile. Then a barrier.
  // UNTIL SOLVED: (void)a, (void)b, (void)has_vectors, (void)c;
  // UNTIL SOLVED: (void)partials, (void)own_tile;  // delete both lines
  std::size_t at = blockIdx.x * work.share;
  const std::size_t end = min(at + work.share, work.length());
  while (at < end) {
    const std::size_t tile = at / work.k_tiles, first = at % work.k_tiles;
    const auto k_tiles = static_cast<int>(min(end - at, work.k_tiles - first));
    const Corner corner = corner_of(work, static_cast<int>(tile));
    TileLoader<Shape> loader(a, b, has_vectors, tiles, corner, first * Shape::kTileTerms, k_tiles);
    float sums[Shape::kRows][Shape::kColumns] = {};
    add_k_tiles<Shape>(sums, loader, k_tiles, own_tile);
    const Target target = target_of<Shape>(c, work, tile, k_tiles, partials);
    store_sums<Shape>(target.matrix, target.as_vectors, target.corner, tiles, own_tile, sums);
    at += k_tiles;
    __syncthreads();  // all threads have stored: the next tile's k-tiles may come
  }
  // END SOLUTION
}

// The parts of a tile: blocks first, first + 1, ..., first + count - 1 have left one each.
struct Parts {
  std::size_t first, count;
};
__device__ Parts parts_of(const WorkPartition& work, std::size_t tile) {
  // BEGIN SOLUTION: step 3. Which block has the first k-tile of the tile, and which one has the last? The tile
  //     has the k-tiles from tile * work.k_tiles on, and each block has work.share of them.
  // UNTIL SOLVED: return {work.share, tile};  // replace
  const std::size_t first = tile * work.k_tiles / work.share;
  return {first, ((tile + 1) * work.k_tiles - 1) / work.share - first + 1};
  // END SOLUTION
}

constexpr int kAddingWarps = 8;

// Adds up the parts of the tiles that are cut, in the order of their terms. Launch: blocks of kAddingWarps warps. A
// warp has 128 neighbouring numbers of a tile, a vector a lane. Where a tile has many parts, all warps of a block have
// the same numbers, and `sharers` warps have different parts.
__global__ void __launch_bounds__(kAddingWarps* kWarp)
    add_parts(Matrix c, WorkPartition work, const float* partials, int sharers) {
  __shared__ float4 of_warp[kAddingWarps][kWarp];
  constexpr int kNumbers = kWarp * kVector;
  const int groups_of_tile = work.tile_height * work.tile_width / kNumbers;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int group = static_cast<int>(blockIdx.x) * (kAddingWarps / sharers) + warp / sharers;
  const std::size_t tile = group / groups_of_tile;
  const int place = group % groups_of_tile * kNumbers + lane * kVector;
  const Parts parts = parts_of(work, tile);
  if (tile >= work.tiles() || parts.count == 1) return;  // the same for all warps that share: no warp waits for them

  const int sharer = warp % sharers;
  float4 sum{};
  // BEGIN SOLUTION: step 3. add() to it the vectors at `place` of the tile's parts, in the order of their
  //     blocks. Begin with part parts.count * sharer / sharers, and stop where the next sharer begins.
  // UNTIL SOLVED: (void)partials, (void)sharer;  // delete this line
  const std::size_t end = parts.first + parts.count * (sharer + 1) / sharers;
#pragma unroll 8
  for (std::size_t block = parts.first + parts.count * sharer / sharers; block < end; ++block) {
    const auto* const from = reinterpret_cast<const float4*>(partials + place_of_part(work, block, tile) + place);
    add(sum, __ldcg(from));
  }
  // END SOLUTION
  if (sharers > 1) {
    of_warp[warp][lane] = sum;
    __syncthreads();
    if (sharer > 0) return;
    for (int other = 1; other < sharers; ++other) add(sum, of_warp[other][lane]);
  }
  const Corner corner = corner_of(work, static_cast<int>(tile));
  store_four(c, is_whole(c, work, corner), corner.top + place / work.tile_width, corner.left + place % work.tile_width,
             sum);
}

// How much of an extent of C lies in tiles, whose extent is `tile`. The rest is for multiply_edge().
std::size_t extent_in_tiles(std::size_t extent, std::size_t tile) {
  // BEGIN SOLUTION: step 2. All of it, or the whole tiles alone: where there is a whole tile, and at most kThin
  //     rows or columns are left behind the last one.
  // UNTIL SOLVED: (void)tile;
  // UNTIL SOLVED: return extent;  // replace: here a thin edge has whole tiles
  return extent > tile && extent % tile <= kThin ? extent / tile * tile : extent;
  // END SOLUTION
}

// A tile a block.
template <class Shape>
WorkPartition make_partition(const Matrix& c, std::size_t terms) {
  WorkPartition work{};
  work.tile_height = Shape::kHeight;
  work.tile_width = Shape::kWidth;
  work.height = extent_in_tiles(c.rows, Shape::kHeight);
  work.width = extent_in_tiles(c.columns, Shape::kWidth);
  work.tiles_down = static_cast<int>(divide_up(work.height, Shape::kHeight));
  work.tiles_across = static_cast<int>(divide_up(work.width, Shape::kWidth));
  work.k_tiles = divide_up(terms, Shape::kTileTerms);
  work.cut_into(work.k_tiles);
  return work;
}

// The cheaper one of two plans: a tile a block, or equal shares of all k-tiles.
template <class Shape>
Plan plan_for(const Matrix& c, std::size_t terms, std::size_t room, std::size_t multiprocessors) {
  Plan plan{make_partition<Shape>(c, terms), 0.0};
  WorkPartition& work = plan.work;
  // Cycles of one SM for a k-tile, and for a whole tile.
  const double of_k_tile = Shape::kHeight * Shape::kWidth * Shape::kTileTerms / (kPeak * Shape::kCost.speed);
  const double of_tile = of_k_tile * static_cast<double>(work.k_tiles) + Shape::kCost.fill;
  const std::size_t blocks = most_sharing_blocks<Shape>(work, room, multiprocessors);
  // BEGIN SOLUTION: step 2. plan.cycles, where each block has a tile: so many tiles as the busiest SM has,
  //     times of_tile. Where `blocks` is not 0: the smallest share, but at least kLeastShare, with which `blocks`
  //     blocks suffice. The cycles of equal shares: work.length() / multiprocessors k-tiles, as a fraction, twice the
  //     fill, and kAddingParts. Where that is less than 0.9 * plan.cycles, and the share is not one whole tile:
  //     work.cut_into() it, and these are the plan's cycles.
  // UNTIL SOLVED: (void)of_tile, (void)blocks;  // delete this line in step 2: each plan costs 0 here
  plan.cycles = static_cast<double>(divide_up(work.tiles(), multiprocessors)) * of_tile;
  if (blocks == 0) return plan;
  const std::size_t share = std::max(divide_up(work.length(), blocks), kLeastShare);
  const double in_shares =
      static_cast<double>(work.length()) * of_k_tile / multiprocessors + 2 * Shape::kCost.fill + kAddingParts;
  if (share != work.k_tiles && in_shares < 0.9 * plan.cycles) {
    work.cut_into(share);
    plan.cycles = in_shares;
  }
  // END SOLUTION
  return plan;
}

template <class Shape>
void launch(ConstMatrix a, ConstMatrix b, bool has_vectors, Matrix c, const WorkPartition& work, float* partials,
            cudaStream_t stream) {
  // UNTIL SOLVED: if (work.is_cut()) WORKBOOK_TODO("step 3: write target_of, parts_of, add_parts; delete this line");
  const auto kernel = multiply_share<Shape>;
  allow_shared_memory(kernel, sizeof(Tiles<Shape>));
  const EdgeBlocks of_edges = blocks_of_edges(rows_of(a), columns_of(b), work, Shape::kThreads);
  const unsigned blocks = work.blocks + count_blocks(of_edges, c, work);
  kernel<<<blocks, Shape::kThreads, sizeof(Tiles<Shape>), stream>>>(a, b, has_vectors, c, work, of_edges, partials);
  CUDA_CHECK(cudaGetLastError());
  if (!work.is_cut()) return;
  constexpr std::size_t kManyParts = 16, kGroupsOfTile = Shape::kHeight * Shape::kWidth / (kWarp * kVector);
  const int sharers = work.k_tiles / work.share >= kManyParts ? kAddingWarps : 1;
  const std::size_t adding_blocks = divide_up(work.tiles() * kGroupsOfTile, kAddingWarps / sharers);
  add_parts<<<static_cast<unsigned>(adding_blocks), kAddingWarps * kWarp, 0, stream>>>(c, work, partials, sharers);
  CUDA_CHECK(cudaGetLastError());
}

// The block is the plan's to choose.
void multiply_on_device(ConstMatrix a, ConstMatrix b, Matrix c, float* partials, dim3, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write multiply_share, then delete this line");
  // UNTIL SOLVED: if (a.columns > 64) WORKBOOK_TODO("step 2: write plan_for, extent_in_tiles; delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (a.columns == 0) {  // all bytes of the number 0 are 0
    CUDA_CHECK(cudaMemset2DAsync(c.data, c.pitch * sizeof(float), 0, c.columns * sizeof(float), c.rows, stream));
    return;
  }
  const std::size_t sms = multiprocessors();
  const std::size_t room = workbook::partials_size(c.rows, c.columns, a.columns);
  const Plan medium = plan_for<Medium>(c, a.columns, room, sms), small = plan_for<Small>(c, a.columns, room, sms);
  // A block of Medium that has the SM to itself has few warps with its four: two slices make them eight.
  const bool few = !medium.work.is_cut() && medium.work.tiles() <= sms;
  const bool has_vectors = has_vectors_in_rows(b);
  if (!has_vectors) {
    const Plan sliced = plan_for<MediumInSlices>(c, a.columns, room, sms);
    if (small.cycles < sliced.cycles) {
      launch<Small>(a, b, has_vectors, c, small.work, partials, stream);
    } else {
      launch<MediumInSlices>(a, b, has_vectors, c, sliced.work, partials, stream);
    }
    return;
  }
  const Plan large = plan_for<Large>(c, a.columns, room, sms), tiny = plan_for<Tiny>(c, a.columns, room, sms);
  const double least = std::min({large.cycles, medium.cycles, small.cycles, tiny.cycles});
  if (least == large.cycles) {
    launch<Large>(a, b, has_vectors, c, large.work, partials, stream);
  } else if (least == medium.cycles && few) {
    launch<MediumInSlices>(a, b, has_vectors, c, make_partition<MediumInSlices>(c, a.columns), partials, stream);
  } else if (least == medium.cycles) {
    launch<Medium>(a, b, has_vectors, c, medium.work, partials, stream);
  } else if (least == small.cycles) {
    launch<Small>(a, b, has_vectors, c, small.work, partials, stream);
  } else {
    launch<Tiny>(a, b, has_vectors, c, tiny.work, partials, stream);
  }
}
