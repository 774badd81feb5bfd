// refused: wrong-result: a lane takes kLoads vectors of its part, however many there are
// SPDX-License-Identifier: MIT
// shown by: --size 300x16384 --block-size 64
// Right for all rows that a block can read in one round.
#include "../stage24_but_lane.cuh"

template <typename Vector>
__device__ float sum_of_lane(const float* row, const float* x, std::size_t columns, const Cut& cut, unsigned part) {
  Cut one_round = cut;
  const std::size_t begin = part * cut.vectors_a_part;
  one_round.vectors = min(begin + kLoads * cut.lanes, cut.vectors);
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  float sum = right_sum_of_lane<Vector>(row, x, one_round.vectors * kWidth, one_round, part);
  for (std::size_t j = cut.vectors * kWidth + threadIdx.x % cut.lanes; j < columns; j += cut.lanes) {
    sum += part + 1 == cut.parts ? row[j] * x[j] : 0.0f;
  }
  return sum;
}
