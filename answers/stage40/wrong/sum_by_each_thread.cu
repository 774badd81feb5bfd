// refused: race: each thread adds what its own elements have, and all store to one place
// SPDX-License-Identifier: MIT
// shown by: --size 20011
// hint: second-share
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
    tile.scan();
    sum = combine(sum, threadIdx.x < n ? input[threadIdx.x] : identity<T>());
  }
  sums[blockIdx.x] = sum;
}

#define SUM_SHARES sum_shares_wrongly
#include "answer/launches.cuh"
