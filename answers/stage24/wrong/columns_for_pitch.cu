// refused: wrong-result: row i begins at i * columns, as if there were no padding
// SPDX-License-Identifier: MIT
// shown by: --size 44x68 --padding 4 --block-size 128
// hint: misaligned-global
#define sum_lane(...) right_sum_lane(__VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <typename Vector, unsigned kRows>
__device__ void sum_lane(float (&sums)[kRows], const workbook::ConstMatrix& a, const float* x, std::size_t i,
                         std::size_t vectors_a_part) {
  workbook::ConstMatrix without_padding = a;
  without_padding.pitch = a.columns;
  right_sum_lane<Vector>(sums, without_padding, x, i, vectors_a_part);
}
