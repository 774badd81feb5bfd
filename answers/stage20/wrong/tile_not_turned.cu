// refused: wrong-result: the tile of A is stored by rows and read by columns
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x16 --block-size 16x16
// hint: all-zero
#include "answer/without_bring_tiles.cuh"

template <unsigned T>
__device__ void bring_tiles(Tiles<T>& tiles, workbook::ConstMatrix a, workbook::ConstMatrix b, std::size_t top,
                            std::size_t left, std::size_t from, bool aligned) {
  const unsigned t = threadIdx.y * T + threadIdx.x;
  const unsigned row_a = t / (Tiles<T>::kTerms / kVector), column_a = t % (Tiles<T>::kTerms / kVector) * kVector;
  const unsigned row_b = t / (Tiles<T>::kSize / kVector), column_b = t % (Tiles<T>::kSize / kVector) * kVector;
  float* const place = &tiles.a[0][0] + row_a * Tiles<T>::kTerms + column_a;
  *reinterpret_cast<float4*>(place) = load_vector(a, top + row_a, from + column_a, aligned);
  *reinterpret_cast<float4*>(&tiles.b[row_b][column_b]) = load_vector(b, from + row_b, left + column_b, aligned);
}
