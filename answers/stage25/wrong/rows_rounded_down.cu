// refused: wrong-result: the rows behind the last whole round of a block are not added
// SPDX-License-Identifier: MIT
// shown by: --size 33x52 --block-size 128
// hint: column-sum-wrong
#define sums_of_thread(...) right_sums_of_thread(__VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ Vector sums_of_thread(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                 std::size_t begin, std::size_t end) {
  const unsigned rows_a_round = kLoads * blockDim.y;
  return right_sums_of_thread<Vector>(a, x, columns, begin, begin + (end - begin) / rows_a_round * rows_a_round);
}
