// refused: out-of-bounds: the last line of a table may have fewer than 32 keys
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
#include "../stage30_but_count_in_share.cuh"

template <KeyType kType, Bound kBound>
__device__ unsigned count_in_share(const Level& level, std::size_t position, std::uint32_t query) {
  if (position < level.begin || position >= level.end) {
    return right_count_in_share<kType, kBound>(level, position, query);
  }
  const auto* const vectors = reinterpret_cast<const uint4*>(level.lines + position);
  const uint4 first = __ldg(vectors), second = __ldg(vectors + 1);
  unsigned count = 0;
  for (const std::uint32_t key : {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w}) {
    count += workbook::is_in_front<kBound>(workbook::ordinal_of(key, kType), query) ? 1 : 0;
  }
  return count;
}
