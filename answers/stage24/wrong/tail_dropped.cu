// refused: wrong-result: the numbers behind the last whole vector of a row are not added
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 128
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
}
