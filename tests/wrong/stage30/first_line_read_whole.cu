// refused: wrong-result: a table that begins within a line has no keys in front of it
// SPDX-License-Identifier: MIT
// shown by: --size 1030x301 --misalign 17
// What lies there is read, and need not be ours.
#include "../stage30_but_count_in_line.cuh"

template <KeyType kType, Bound kBound>
__device__ unsigned count_in_line(const Level& level, unsigned line, std::uint32_t query) {
  const std::size_t first = std::size_t{line} * kLine;
  if (__all_sync(kFull, first + kLine <= level.end)) {
    return count_by_teams<kType, kBound, true>(level, line, query);
  }
  return count_by_teams<kType, kBound, false>(level, line, query);
}
