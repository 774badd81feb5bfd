// refused: out-of-bounds: the last line of a table may have fewer than 32 keys
// SPDX-License-Identifier: MIT
// shown by: --size 33x65 --queries ends
// hint: outside-global
#define position_in(...) right_position_in(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType, Bound kBound>
__device__ std::size_t position_in(const Level& level, unsigned line, std::uint32_t query) {
  const std::size_t first = std::size_t{line} * kLine;
  const bool are_whole = __all_sync(kFull, first >= level.begin);
  const unsigned count = are_whole ? count_by_teams<kType, kBound, true>(level, line, query)
                                   : count_by_teams<kType, kBound, false>(level, line, query);
  return min(max(first + count, level.begin), level.end);
}
