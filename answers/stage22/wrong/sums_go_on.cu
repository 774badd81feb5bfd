// refused: wrong-result: the sums of one tile are still there when the next begins
// SPDX-License-Identifier: MIT
// shown by: --size 32x150x1300
// hint: wrong-at-the-edge
// Right while each share lies in one tile.
#define WRONG multiply_share<Small>
#include "answer/without_one_function.cuh"

template <class Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocksAnSm)
    multiply_share(workbook::ConstMatrix a, workbook::ConstMatrix b, bool has_vectors, workbook::Matrix c,
                   WorkPartition work, EdgeBlocks of_edges, float* partials) {
  extern __shared__ float4 memory[];
  Tiles<Shape>& tiles = *reinterpret_cast<Tiles<Shape>*>(memory);
  if (blockIdx.x >= work.blocks) {
    return multiply_edge(a, b, c, work, of_edges, reinterpret_cast<float*>(memory));
  }
  const ThreadTile<Shape> own_tile(tiles);
  float sums[Shape::kRows][Shape::kColumns] = {};
  std::size_t at = blockIdx.x * work.share;
  const std::size_t end = min(at + work.share, work.length());
  while (at < end) {
    const std::size_t tile = at / work.k_tiles, first = at % work.k_tiles;
    const auto k_tiles = static_cast<int>(min(end - at, work.k_tiles - first));
    Corner corner = corner_of(work, static_cast<int>(tile));
    TileLoader<Shape> loader(a, b, has_vectors, tiles, corner, first * Shape::kTileTerms, k_tiles);
    add_k_tiles<Shape>(sums, loader, k_tiles, own_tile);
    workbook::Matrix target = c;
    bool as_vectors = is_whole(c, work, corner);
    if (k_tiles < work.k_tiles) {  // a part: the tile is a matrix of its own
      target = {partials + place_of_part(work, blockIdx.x, tile), Shape::kHeight, Shape::kWidth, Shape::kWidth};
      corner = {0, 0};
      as_vectors = true;
    }
    store_sums<Shape>(target, as_vectors, corner, tiles, own_tile, sums);
    at += k_tiles;
    __syncthreads();  // all threads have stored: the next tile's k-tiles may come
  }
}
