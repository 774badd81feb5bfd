// SPDX-License-Identifier: MIT
// The kernel of stage 21's answer, with one mistake. The file that includes this defines one of the macros.
#ifndef HEIGHT_OF_BAND
#define HEIGHT_OF_BAND min(kBand, tiles_down - band)
#endif
#ifndef K_TILES
#define K_TILES (a.columns + kTerms - 1) / kTerms
#endif
#ifndef WARP_DOWN
#define WARP_DOWN warp / kAcross
#define WARP_ACROSS warp % kAcross
#endif
#include "without_kernel.cuh"

template <unsigned kDown, unsigned kAcross, bool kWhole>
__global__ void __launch_bounds__(kDown* kAcross* kWarp, 1)
    multiply_pipelined(ConstMatrix a, ConstMatrix b, Matrix c, unsigned tiles_down, unsigned tiles_across) {
  using Tile = Tiles<kDown, kAcross>;
  constexpr unsigned kBand = 8;
  __shared__ __align__(sizeof(float4)) Tile tile;
  const unsigned band = blockIdx.x / (kBand * tiles_across) * kBand;
  const unsigned height = HEIGHT_OF_BAND;
  const unsigned place = blockIdx.x - band * tiles_across;
  const std::size_t top = std::size_t{band + place % height} * Tile::kHeight;
  const std::size_t left = std::size_t{place / height} * Tile::kWidth;
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const unsigned row = WARP_DOWN * kWarpSide + lane / kLanesAcross * kVector;
  const unsigned column = WARP_ACROSS * kWarpSide + lane % kLanesAcross * kVector;
  TileLoader<Tile> loader(a, b, top, left);

  float sums[kRows][kColumns] = {};
  add_k_tiles<kWhole>(sums, tile, loader, static_cast<unsigned>(K_TILES), row, column);
  store_sums<kWhole>(c, top, left, tile, row, column, sums);
}
#undef HEIGHT_OF_BAND
#undef K_TILES
#undef WARP_DOWN
#undef WARP_ACROSS
