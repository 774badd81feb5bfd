// refused: wrong-result: the last vector of a row of C goes over what lies behind the row
// SPDX-License-Identifier: MIT
// shown by: --size 64x62x30 --padding 2 --output-padding 2 --block-size 8x8
// hint: outside-the-rows
#include "workbook/student/matmul.h"

template <unsigned T>
__device__ void store_square(workbook::Matrix c, std::size_t top, std::size_t left, bool aligned,
                             const float (&sums)[8][8]);

#define store_square(...) right_store_square(__VA_ARGS__)  // all but what follows is the answer
#include "../solution.cu"
#undef store_square

template <unsigned T>
__device__ void store_square(workbook::Matrix c, std::size_t top, std::size_t left, bool aligned,
                             const float (&sums)[kSide][kSide]) {
  for (unsigned row = 0; row < kSide; ++row) {
    const std::size_t i = top + kVector * threadIdx.y + row / kVector * (kVector * T) + row % kVector;
    for (unsigned column = 0; column < kSide; column += kVector) {
      const std::size_t j = left + kVector * threadIdx.x + column * T;
      const float* const four = &sums[row][column];
      workbook::Matrix wider = c;
      if (aligned) wider.columns = c.pitch;
      store_vector(wider, i, j, aligned, make_float4(four[0], four[1], four[2], four[3]));
    }
  }
}
