// refused: race: the next tile is brought while others still read this one
// SPDX-License-Identifier: MIT
// shown by: --size 130x140x70 --block-size 16x16
// hint: race-in-block
#include "workbook/student/matmul.h"

template <unsigned T>
__global__ void multiply_vectors(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                 unsigned tiles_across, bool aligned);

#define multiply_vectors(...) right_multiply_vectors(__VA_ARGS__)  // all but what follows is the answer
#include "../solution.cu"
#undef multiply_vectors

template <unsigned T>
__global__ void __launch_bounds__(T* T, 2) multiply_vectors(workbook::ConstMatrix a, workbook::ConstMatrix b,
                                                            workbook::Matrix c, unsigned tiles_across, bool aligned) {
  __shared__ __align__(sizeof(float4)) Tiles<T> tiles;
  const std::size_t top = std::size_t{blockIdx.x / tiles_across} * Tiles<T>::kSize;
  const std::size_t left = std::size_t{blockIdx.x % tiles_across} * Tiles<T>::kSize;
  float sums[kSide][kSide] = {};
  for (std::size_t from = 0; from < a.columns; from += Tiles<T>::kTerms) {
    bring_tiles<T>(tiles, a, b, top, left, from, aligned);
    __syncthreads();  // both tiles are whole
    add_products<T>(sums, tiles);
  }
  store_square<T>(c, top, left, aligned, sums);
}
