// refused: wrong-result: each part of a row adds the numbers behind its last whole vector
// SPDX-License-Identifier: MIT
// shown by: --size 3x4003 --padding 1 --block-size 32
// hint: row-sum-wrong
#define sum_lane(...) right_sum_lane(__VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <typename Vector, unsigned kRows>
__device__ void sum_lane(float (&sums)[kRows], const workbook::ConstMatrix& a, const float* x, std::size_t i,
                         std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  workbook::ConstMatrix whole_vectors = a;
  whole_vectors.columns = a.columns / kWidth * kWidth;
  right_sum_lane<Vector>(sums, whole_vectors, x, i, vectors_a_part);
  for (unsigned r = 0; r < kRows; ++r) {
    for (std::size_t j = whole_vectors.columns + threadIdx.x; j < a.columns; j += blockDim.x) {
      sums[r] += a.data[min(i + r, a.rows - 1) * a.pitch + j] * x[j];
    }
  }
}
