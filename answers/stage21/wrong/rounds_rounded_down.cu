// refused: wrong-result: the terms of the last k-tile are lost where it has not all of them
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x20 --block-size 128x1
// hint: terms-wrong
#include "answer/without_kernel.cuh"

template <unsigned kDown, unsigned kAcross, bool kWhole>
__global__ void __launch_bounds__(kDown* kAcross* kWarp, 1)
    multiply_pipelined(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, unsigned tiles_down,
                       unsigned tiles_across) {
  using Tile = Tiles<kDown, kAcross>;
  constexpr unsigned kBand = 8;
  __shared__ __align__(sizeof(float4)) Tile tile;
  const unsigned band = blockIdx.x / (kBand * tiles_across) * kBand;
  const unsigned height = min(kBand, tiles_down - band);
  const unsigned place = blockIdx.x - band * tiles_across;
  const std::size_t top = std::size_t{band + place % height} * Tile::kHeight;
  const std::size_t left = std::size_t{place / height} * Tile::kWidth;
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const unsigned row = warp / kAcross * kWarpSide + lane / kLanesAcross * kVector;
  const unsigned column = warp % kAcross * kWarpSide + lane % kLanesAcross * kVector;
  TileLoader<Tile, kWhole> loader(a, b, top, left);
  const auto k_tiles = static_cast<unsigned>(a.columns / kTerms);

  float sums[kRows][kColumns] = {};
  add_k_tiles<Tile, kWhole>(sums, tile, loader, k_tiles, row, column);
  store_sums<Tile, kWhole>(c, top, left, tile, row, column, sums);
}
