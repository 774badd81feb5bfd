// refused: out-of-bounds: the last block has teams for rows that do not exist
// SPDX-License-Identifier: MIT
// shown by: --size 23x70 --padding 2 --block-size 128
// hint: outside-global
#define sum_lane(...) right_sum_lane(__VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <typename Vector, unsigned kRows>
__device__ void sum_lane(float (&sums)[kRows], const workbook::ConstMatrix& a, const float* x, std::size_t i,
                         std::size_t vectors_a_part) {
  workbook::ConstMatrix more_rows = a;
  more_rows.rows = i + kRows;
  right_sum_lane<Vector>(sums, more_rows, x, i, vectors_a_part);
}
