// refused: wrong-result: the last vector of a row takes in what lies behind the row
// SPDX-License-Identifier: MIT
// shown by: --size 64x62x30 --padding 2 --output-padding 2 --block-size 8x8
// hint: not-a-number
// Zero times what lies there is NaN where that is NaN. The zeros in the other tile do not help.
#include "answer/without_bring_tiles.cuh"

__device__ float4 load_whole(const workbook::ConstMatrix& matrix, std::size_t i, std::size_t j, bool aligned) {
  if (i >= matrix.rows || j >= matrix.columns) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (!aligned) return load_vector(matrix, i, j, aligned);
  return *reinterpret_cast<const float4*>(matrix.data + i * matrix.pitch + j);
}

template <unsigned T>
__device__ void bring_tiles(Tiles<T>& tiles, workbook::ConstMatrix a, workbook::ConstMatrix b, std::size_t top,
                            std::size_t left, std::size_t from, bool aligned) {
  const unsigned t = threadIdx.y * T + threadIdx.x;
  const unsigned row_a = t / (Tiles<T>::kTerms / kVector), column_a = t % (Tiles<T>::kTerms / kVector) * kVector;
  const unsigned row_b = t / (Tiles<T>::kSize / kVector), column_b = t % (Tiles<T>::kSize / kVector) * kVector;
  const float4 of_row = load_whole(a, top + row_a, from + column_a, aligned);
  tiles.a[column_a + 0][row_a] = of_row.x;
  tiles.a[column_a + 1][row_a] = of_row.y;
  tiles.a[column_a + 2][row_a] = of_row.z;
  tiles.a[column_a + 3][row_a] = of_row.w;
  *reinterpret_cast<float4*>(&tiles.b[row_b][column_b]) = load_whole(b, from + row_b, left + column_b, aligned);
}
