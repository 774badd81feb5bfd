// refused: wrong-result: the walk ends a row above the lines
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
// hint: search-place
#define line_by_top(...) right_line_by_top(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <Bound kBound>
__device__ unsigned line_by_top(const std::uint32_t* top, std::uint32_t query, const Index& index) {
  unsigned node = 1;
  for (unsigned row = 1; row < index.top_depth; ++row) {
    node = 2 * node + (workbook::is_in_front<kBound>(top[node], query) ? 1 : 0);
  }
  return node - (1u << index.top_depth);
}
