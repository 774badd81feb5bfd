// refused: wrong-result: each part of a tile is multiplied by alpha, and so is their sum
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x3000 --alpha 2
// hint: global-not-written
// Right for alpha 1 and beta 0.
#include "answer/without_multiply_share.cuh"

template <class Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocksAnSm)
    multiply_share(Lines a, Lines b, workbook::Matrix c, Scale scale, WorkPartition work, EdgeBlocks of_edges,
                   float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Shape>& tiles = *reinterpret_cast<Tiles<Shape>*>(memory);
  if (blockIdx.x >= work.blocks) {
    return multiply_edge(a, b, c, scale, work, of_edges, reinterpret_cast<float*>(memory));
  }
  const ThreadTile<Shape> own_tile(tiles);
  std::size_t at = blockIdx.x * work.share;
  const std::size_t end = min(at + work.share, work.length());
  while (at < end) {
    const std::size_t tile = at / work.k_tiles, first = at % work.k_tiles;
    const auto k_tiles = static_cast<int>(min(end - at, work.k_tiles - first));
    Corner corner = corner_of(work, static_cast<int>(tile));
    const std::size_t first_term = first * Shape::kTileTerms;
    TileLoader<Shape> loader{{a, tiles.a, corner.top, first_term}, {b, tiles.b, corner.left, first_term}, k_tiles};
    float sums[Shape::kRows][Shape::kColumns] = {};
    add_k_tiles<Shape>(sums, loader, k_tiles, own_tile);
    workbook::Matrix target = c;
    bool as_vectors = is_whole(c, work, corner);
    Scale how = scale;
    if (k_tiles < work.k_tiles) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part(work, blockIdx.x, tile), Shape::kHeight, Shape::kWidth, Shape::kWidth};
      corner = {0, 0};
      as_vectors = true;
    }
    store_sums<Shape>(target, how, as_vectors, corner, tiles, own_tile, sums);
    at += k_tiles;
    __syncthreads();  // all threads have stored: the next tile's k-tiles may come
  }
}
