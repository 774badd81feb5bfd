// SPDX-License-Identifier: MIT
// Which k-tiles each block computes, given to stages 22 and 23 (CUTLASS: the stream-K tile scheduler).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace workbook::products {

/// WorkPartition: all k-tiles stand in one line, `k_tiles` for each tile, tile after tile. A block has `share` of them,
/// its stream-K share; the last block has what is left.
struct WorkPartition {
  int tile_height, tile_width;
  int tiles_down, tiles_across;
  std::size_t height, width;  ///< of the part of C that lies in tiles
  std::size_t k_tiles;        ///< of one tile
  std::size_t share;
  unsigned blocks;  ///< of tiles: behind them come those of the edges

  __host__ __device__ std::size_t tiles() const { return static_cast<std::size_t>(tiles_down) * tiles_across; }
  __host__ __device__ std::size_t length() const { return tiles() * k_tiles; }  ///< of the line
  void cut_into(std::size_t share_of_block) {
    share = share_of_block;
    blocks = static_cast<unsigned>((length() + share - 1) / share);
  }
  bool is_cut() const { return share % k_tiles != 0; }  ///< whether blocks share tiles
};

/// The first row and column of a tile in C (CUTLASS: threadblock offset).
struct Corner {
  std::size_t top, left;
};

/// Eight rows of tiles are one band, as in stage 21.
inline __device__ Corner corner_of(const WorkPartition& work, int tile) {
  constexpr int kBand = 8;
  const int band = tile / (kBand * work.tiles_across) * kBand;
  const int height = min(kBand, work.tiles_down - band);
  const int place = tile - band * work.tiles_across;
  return {static_cast<std::size_t>(band + place % height) * work.tile_height,
          static_cast<std::size_t>(place / height) * work.tile_width};
}

/// Where in the workspace `block` leaves its part of `tile`, as a matrix of tile_height x tile_width. Each cut, and
/// each new tile, moves the place one tile further.
inline __device__ std::size_t place_of_part(const WorkPartition& work, std::size_t block, std::size_t tile) {
  return (block + tile) * work.tile_height * work.tile_width;
}

}  // namespace workbook::products
