// SPDX-License-Identifier: MIT
// The kernel multiply_share of stage 22's answer, with one mistake, for the answer's other functions. The file that
// includes this defines one of the macros.
#ifndef FIRST_TERM  // of the loader
#define FIRST_TERM first* Shape::kTileTerms
#endif
#ifndef LOADED  // k-tiles of the loader
#define LOADED k_tiles
#endif
#ifndef SUMS_BEFORE_TILES
#define SUMS_BEFORE_TILES
#define SUMS_OF_TILE float sums[Shape::kRows][Shape::kColumns] = {};
#endif
#ifndef TARGET
#define TARGET target_of<Shape>(c, work, tile, k_tiles, partials)
#endif
#ifndef BARRIER
#define BARRIER __syncthreads()
#endif
#ifndef END_OF_SHARE
#define END_OF_SHARE min(at + work.share, work.length())
#endif
#ifdef ALL_SHAPES  // as the run counts them
#include "all_shapes_but_kernel.cuh"
#else
#ifndef WRONG
#define WRONG multiply_share<Small>
#endif
#include "without_one_function.cuh"
#endif

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
  SUMS_BEFORE_TILES
  std::size_t at = blockIdx.x * work.share;
  const std::size_t end = END_OF_SHARE;
  while (at < end) {
    const std::size_t tile = at / work.k_tiles, first = at % work.k_tiles;
    const auto k_tiles = static_cast<int>(min(end - at, work.k_tiles - first));
    const Corner corner = corner_of(work, static_cast<int>(tile));
    TileLoader<Shape> loader(a, b, has_vectors, tiles, corner, FIRST_TERM, LOADED);
    SUMS_OF_TILE
    add_k_tiles<Shape>(sums, loader, k_tiles, own_tile);
    const Target target = TARGET;
    store_sums<Shape>(target.matrix, target.as_vectors, target.corner, tiles, own_tile, sums);
    at += k_tiles;
    BARRIER;
  }
}
#undef FIRST_TERM
#undef LOADED
#undef SUMS_BEFORE_TILES
#undef SUMS_OF_TILE
#undef TARGET
#undef BARRIER
#undef END_OF_SHARE
#undef ALL_SHAPES
