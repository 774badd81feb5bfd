// refused: uninitialised: as many elements as the block has threads, where the tile has eight times as many
// SPDX-License-Identifier: MIT
// shown by: --size 130x140x20 --block-size 16x16
// hint: shared-not-written
#include "answer/without_bring_tiles.cuh"

template <unsigned T>
__device__ void bring_tiles(Tiles<T>& tiles, workbook::ConstMatrix a, workbook::ConstMatrix b, std::size_t top,
                            std::size_t left, std::size_t from) {
#pragma unroll
  for (unsigned s = 0; s < 1; ++s) {
    const unsigned element = threadIdx.y * T + threadIdx.x + s * (T * T);
    const unsigned row_a = element / Tiles<T>::kTerms, column_a = element % Tiles<T>::kTerms;
    const unsigned row_b = element / Tiles<T>::kSize, column_b = element % Tiles<T>::kSize;
    const std::size_t i = top + row_a, j = left + column_b;
    tiles.a[row_a][column_a] = i < a.rows && from + column_a < a.columns ? a.data[i * a.pitch + from + column_a] : 0.0f;
    tiles.b[row_b][column_b] = from + row_b < b.rows && j < b.columns ? b.data[(from + row_b) * b.pitch + j] : 0.0f;
  }
}
