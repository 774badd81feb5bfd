// refused: wrong-result: each tile of a share begins where the share begins
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_MULTIPROCESSORS=1 --size 20011 --elements ones
// hint: second-tile
#include "answer/right.cuh"

using namespace right;

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    scan_shares_wrongly(Scan scan, const T* input, T* output, std::size_t n, std::size_t size, const T* befores) {
  using Tile = workbook::ScanTile<T, kRows>;
  const Share share(n, size);
  T before = befores == nullptr ? identity<T>() : befores[blockIdx.x];
  for (std::size_t begin = share.begin; begin < share.end; begin += Tile::size(blockDim.x)) {
    Tile tile;
    tile.load(input, begin, share.end);
    const T all = tile.scan();
    tile.store(scan, before, output, begin, share.end);
    (void)all;
  }
}

#define SCAN_SHARES scan_shares_wrongly
#include "answer/launches.cuh"
