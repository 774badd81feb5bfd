// refused: out-of-bounds: the last vector of a row reaches over its end, and there x ends
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 128
// Of the matrix it reads the padding, which may be NaN.
#include "../stage24_but_lane.cuh"

template <typename Vector>
__device__ float sum_of_lane(const float* row, const float* x, std::size_t columns, std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  return right_sum_of_lane<Vector>(row, x, (columns + kWidth - 1) / kWidth * kWidth, vectors_a_part);
}
