// refused: out-of-bounds: the tile of A has another shape than that of B
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x16 --block-size 16x16
// hint: outside-shared
#include "answer/without_bring_tiles.cuh"

template <unsigned T>
__device__ void bring_tiles(Tiles<T>& tiles, workbook::ConstMatrix a, workbook::ConstMatrix b, std::size_t top,
                            std::size_t left, std::size_t from, bool aligned) {
  const unsigned t = threadIdx.y * T + threadIdx.x;
  const unsigned row_a = t / (Tiles<T>::kSize / kVector), column_a = t % (Tiles<T>::kSize / kVector) * kVector;
  const unsigned row_b = t / (Tiles<T>::kSize / kVector), column_b = t % (Tiles<T>::kSize / kVector) * kVector;
  const float4 of_row = load_vector(a, top + row_a, from + column_a, aligned);
  tiles.a[column_a + 0][row_a] = of_row.x;
  tiles.a[column_a + 1][row_a] = of_row.y;
  tiles.a[column_a + 2][row_a] = of_row.z;
  tiles.a[column_a + 3][row_a] = of_row.w;
  *reinterpret_cast<float4*>(&tiles.b[row_b][column_b]) = load_vector(b, from + row_b, left + column_b, aligned);
}
