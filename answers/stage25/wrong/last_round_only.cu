// refused: wrong-result: each round of rows replaces what the rounds before have added up
// SPDX-License-Identifier: MIT
// shown by: --size 161x5000 --block-size 128
// hint: column-sum-wrong
// `=` for `+=`. Right where a part has no more rows than the block reads at once.
#define sums_of_thread(...) right_sums_of_thread(__VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ Vector sums_of_thread(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                 std::size_t begin, std::size_t end) {
  const unsigned rows_a_round = kLoads * blockDim.y;
  Vector sums{};
  for (std::size_t first = begin; first < end; first += rows_a_round) {
    sums = right_sums_of_thread<Vector>(a, x, columns, first, min(first + rows_a_round, end));
  }
  return sums;
}
