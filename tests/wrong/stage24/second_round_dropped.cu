// refused: wrong-result: a lane takes kLoads vectors of its part, however many there are
// SPDX-License-Identifier: MIT
// shown by: --size 300x16384 --block-size 32
// Right for all parts that a block reads in one round.
#include "../stage24_but_lane.cuh"

template <typename Vector>
__device__ float sum_of_lane(const float* row, const float* x, std::size_t columns, std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  const std::size_t vectors = columns / kWidth, begin = blockIdx.y * vectors_a_part;
  float sum = 0.0f;
  for (unsigned k = 0; k < kLoads; ++k) {
    const std::size_t j = begin + k * blockDim.x + threadIdx.x;
    if (j < min(begin + vectors_a_part, vectors)) {
      sum += product(reinterpret_cast<const Vector*>(row)[j], reinterpret_cast<const Vector*>(x)[j]);
    }
  }
  for (std::size_t j = vectors * kWidth + threadIdx.x; j < columns && blockIdx.y + 1 == gridDim.y; j += blockDim.x) {
    sum += row[j] * x[j];
  }
  return sum;
}
