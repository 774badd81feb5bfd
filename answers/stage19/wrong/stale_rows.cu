// refused: wrong-result: where A and B end, the tile still holds what the round before left
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x70 --block-size 16x16
// hint: shared-not-written
#include "answer/without_bring_tiles.cuh"

template <unsigned T>
__device__ void bring_tiles(Tiles<T>& tiles, workbook::ConstMatrix a, workbook::ConstMatrix b, std::size_t top,
                            std::size_t left, std::size_t from) {
#pragma unroll
  for (unsigned s = 0; s < kSide; ++s) {
    const unsigned element = threadIdx.y * T + threadIdx.x + s * (T * T);
    const unsigned row_a = element / Tiles<T>::kTerms, column_a = element % Tiles<T>::kTerms;
    const unsigned row_b = element / Tiles<T>::kSize, column_b = element % Tiles<T>::kSize;
    const std::size_t i = top + row_a, j = left + column_b;
    if (i < a.rows && from + column_a < a.columns) tiles.a[row_a][column_a] = a.data[i * a.pitch + from + column_a];
    if (from + row_b < b.rows && j < b.columns) tiles.b[row_b][column_b] = b.data[(from + row_b) * b.pitch + j];
  }
}
