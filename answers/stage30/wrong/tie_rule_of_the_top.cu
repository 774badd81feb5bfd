// refused: wrong-result: a line that begins with the query need not have the first of the equal keys
// SPDX-License-Identifier: MIT
// shown by: --size 4099x77 --keys runs --queries around --type signed
// hint: search-equal
// Right as long as no run of equal keys is longer than a line.
#define WRONG_SEARCH KeyType::signed_ints, Bound::lower
#define line_by_top(...) right_line_by_top(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <Bound kBound>
__device__ unsigned line_by_top(const std::uint32_t* top, std::uint32_t query, const Index& index) {
  unsigned node = 1;
  for (unsigned row = 0; row < index.top_depth; ++row) {
    node = 2 * node + (top[node] <= query ? 1 : 0);
  }
  return node - (1u << index.top_depth);
}
