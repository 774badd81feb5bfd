// refused: wrong-result: each part of a row adds the numbers behind its last whole vector
// SPDX-License-Identifier: MIT
// shown by: --size 3x20003 --padding 1 --block-size 32
#include "../stage24_but_lane.cuh"

template <typename Vector>
__device__ float sum_of_lane(const float* row, const float* x, std::size_t columns, std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  const std::size_t behind = columns / kWidth * kWidth;
  float sum = right_sum_of_lane<Vector>(row, x, behind, vectors_a_part);
  for (std::size_t j = behind + threadIdx.x; j < columns; j += blockDim.x) {
    sum += row[j] * x[j];
  }
  return sum;
}
