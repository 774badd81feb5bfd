// refused: wrong-result: the split lets queries go first that have an equal key, the tiles do not
// SPDX-License-Identifier: MIT
// shown by: --size 20011x3001 --keys equal --queries equal --bound upper
// hint: search-tiles
#define WRONG_SEARCH KeyType::unsigned_ints, Bound::upper
#define keys_before(...) right_keys_before(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

template <KeyType kType, Bound kBound>
__device__ std::size_t keys_before(std::size_t step, const Lists& lists) {
  std::size_t least = step > lists.m ? step - lists.m : 0, most = min(step, lists.n);
  while (least < most) {
    const std::size_t i = least + (most - least) / 2;
    const std::uint32_t key = workbook::ordinal_of(lists.keys[i], kType);
    const std::uint32_t query = workbook::ordinal_of(lists.queries[step - 1 - i], kType);
    if (key < query) {
      least = i + 1;
    } else {
      most = i;
    }
  }
  return least;
}
