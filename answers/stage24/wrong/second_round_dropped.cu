// refused: wrong-result: a lane takes as many vectors as it has under way at a time, and no more
// SPDX-License-Identifier: MIT
// shown by: --size 2200x1024 --block-size 32
// hint: row-sum-wrong
// Right for all parts that a block reads in one round.
#define WRONG_FORM float4, kMostRows
#define sum_lane(...) right_sum_lane(__VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <typename Vector, unsigned kRows>
__device__ void sum_lane(float (&sums)[kRows], const workbook::ConstMatrix& a, const float* x, std::size_t i,
                         std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  const std::size_t vectors = a.columns / kWidth, begin = blockIdx.y * vectors_a_part;
  for (unsigned r = 0; r < kRows; ++r) {
    const float* const row = a.data + min(i + r, a.rows - 1) * a.pitch;
    sums[r] = 0.0f;
    for (unsigned k = 0; k < kUnderWay / kRows; ++k) {
      const std::size_t j = begin + k * blockDim.x + threadIdx.x;
      if (j < min(begin + vectors_a_part, vectors)) {
        sums[r] += product(reinterpret_cast<const Vector*>(row)[j], reinterpret_cast<const Vector*>(x)[j]);
      }
    }
    for (std::size_t j = vectors * kWidth + threadIdx.x; j < a.columns && blockIdx.y + 1 == gridDim.y;
         j += blockDim.x) {
      sums[r] += row[j] * x[j];
    }
  }
}
