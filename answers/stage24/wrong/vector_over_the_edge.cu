// refused: out-of-bounds: the last vector of a row reaches over its end, and there x ends
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 128
// hint: outside-global
// It reads the matrix's padding, which may be NaN.
#define sum_lane(...) right_sum_lane(__VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <typename Vector, unsigned kRows>
__device__ void sum_lane(float (&sums)[kRows], const workbook::ConstMatrix& a, const float* x, std::size_t i,
                         std::size_t vectors_a_part) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(float);
  workbook::ConstMatrix rounded_up = a;
  rounded_up.columns = (a.columns + kWidth - 1) / kWidth * kWidth;
  right_sum_lane<Vector>(sums, rounded_up, x, i, vectors_a_part);
}
