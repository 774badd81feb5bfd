// refused: step-budget: a search goes on from the middle that it has looked at, and never ends
// SPDX-License-Identifier: MIT
// shown by: --size 8192 --block-size 256
// hint: endless-loop
#include "answer/without_count.cuh"

template <bool kOwnIsRight, typename Number, typename Ordinal>
__device__ Number count_before(Ordinal ordinal, Number size, std::uint32_t own) {
  Number count = 0;
  for (Number end = size; count < end;) {
    const Number middle = count + (end - count) / 2;
    if (stands_before<kOwnIsRight>(ordinal(middle), own)) {
      count = middle;
    } else {
      end = middle;
    }
  }
  return count;
}
