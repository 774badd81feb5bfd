// refused: out-of-bounds: the last vector of a row reaches over its end, and there x ends
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 256
// Of the matrix it reads the padding, which may be NaN.
#include "../stage24_but_lane.cuh"

template <typename Vector>
__device__ float sum_of_lane(const float* row, const float* x, std::size_t columns, const Cut& cut, unsigned part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  Cut rounded_up = cut;
  rounded_up.vectors = (columns + kWidth - 1) / kWidth;
  return right_sum_of_lane<Vector>(row, x, columns, rounded_up, part);
}
