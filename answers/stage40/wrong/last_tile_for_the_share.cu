// refused: wrong-result: the sum of a share is that of its last tile
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_MULTIPROCESSORS=1 --size 75011 --elements ones
// hint: second-tile
#include "answer/right.cuh"

using namespace right;

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    sum_shares_wrongly(const T* input, std::size_t n, std::size_t size, T* sums) {
  using Tile = workbook::ScanTile<T, kRows>;
  const Share share(n, size);
  T sum = identity<T>();
  for (std::size_t begin = share.begin; begin < share.end; begin += Tile::size(blockDim.x)) {
    Tile tile;
    tile.load(input, begin, share.end);
    sum = tile.scan();
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
  }
}

#define SUM_SHARES sum_shares_wrongly
#include "answer/launches.cuh"
