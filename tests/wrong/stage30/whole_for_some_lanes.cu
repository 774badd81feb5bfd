// refused: out-of-bounds: a lane whose own line is whole helps to read one that is not
// SPDX-License-Identifier: MIT
// shown by: --size 33x65 --queries ends
#include "../stage30_but_count_in_line.cuh"

template <KeyType kType, Bound kBound>
__device__ unsigned count_in_line(const Level& level, unsigned line, std::uint32_t query) {
  const std::size_t first = std::size_t{line} * kLine;
  if (first >= level.begin && first + kLine <= level.end) {
    return count_by_teams<kType, kBound, true>(level, line, query);
  }
  return count_by_teams<kType, kBound, false>(level, line, query);
}
