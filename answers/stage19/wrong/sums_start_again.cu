// refused: wrong-result: the sums begin again with every tile, and only the last one is left
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x64 --block-size 16x16
// hint: all-zero
// Right where one tile is enough.
#include "answer/without_kernel.cuh"

template <unsigned T>
__global__ void __launch_bounds__(T* T)
    multiply_squares(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, unsigned tiles_across) {
  __shared__ Tiles<T> tiles;
  const std::size_t top = std::size_t{blockIdx.x / tiles_across} * Tiles<T>::kSize;
  const std::size_t left = std::size_t{blockIdx.x % tiles_across} * Tiles<T>::kSize;
  float sums[kSide][kSide] = {};
  for (std::size_t from = 0; from < a.columns; from += Tiles<T>::kTerms) {
    bring_tiles<T>(tiles, a, b, top, left, from);
    __syncthreads();  // both tiles are whole
    for (auto& row : sums)
      for (float& sum : row) sum = 0.0f;
    add_products<T>(sums, tiles);
    __syncthreads();  // no thread reads them any more
  }
  store_square<T>(c, top, left, sums);
}
