// refused: wrong-result: row i begins at i * columns, as if there were no padding
// SPDX-License-Identifier: MIT
// shown by: --size 44x68 --padding 4 --block-size 512
// hint: misaligned-global
#define sums_of_thread(...) right_sums_of_thread(__VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ Vector sums_of_thread(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                 std::size_t begin, std::size_t end) {
  workbook::ConstMatrix without_padding = a;
  without_padding.pitch = a.columns;
  return right_sums_of_thread<Vector>(without_padding, x, columns, begin, end);
}
