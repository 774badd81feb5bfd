// refused: out-of-bounds: the last query of step steps has number step - 1 - i
// SPDX-License-Identifier: MIT
// shown by: --size 20011x3001 --queries clustered
// hint: outside-global
#define keys_before(...) right_keys_before(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType, Bound kBound>
__device__ std::size_t keys_before(std::size_t step, const Lists& lists) {
  std::size_t least = step > lists.m ? step - lists.m : 0, most = min(step, lists.n);
  while (least < most) {
    const std::size_t i = least + (most - least) / 2;
    const std::uint32_t key = workbook::ordinal_of(lists.keys[i], kType);
    const std::uint32_t query = workbook::ordinal_of(lists.queries[step - i], kType);
    if (workbook::is_in_front<kBound>(key, query)) {
      least = i + 1;
    } else {
      most = i;
    }
  }
  return least;
}
