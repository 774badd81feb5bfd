// refused: wrong-result: what lies before the table counts as in front of every query
// SPDX-License-Identifier: MIT
// shown by: --size 1030x301 --misalign 17
#include "../stage30_but_count_in_vector.cuh"

template <KeyType kType, Bound kBound, bool kIsWhole>
__device__ unsigned count_in_vector(const Level& level, std::size_t position, std::uint32_t query) {
  unsigned count = 0;
  for (std::size_t i = max(position, level.begin); i < position + kVector && i < level.end; ++i) {
    count += workbook::is_in_front<kBound>(workbook::ordinal_of(level.lines[i], kType), query) ? 1 : 0;
  }
  return count;
}
