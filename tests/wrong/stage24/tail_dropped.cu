// refused: wrong-result: the numbers behind the last whole vector of a row are not added
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 128
#include "../stage24_but_lane.cuh"

template <typename Vector>
__device__ float sum_of_lane(const float* row, const float* x, std::size_t columns, std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  return right_sum_of_lane<Vector>(row, x, columns / kWidth * kWidth, vectors_a_part);
}
