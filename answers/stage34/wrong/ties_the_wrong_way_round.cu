// refused: wrong-result: equal keys of the right run come first: sorted, and not stable
// SPDX-License-Identifier: MIT
// shown by: --size 8192 --distribution two --values places --block-size 256
// hint: sort-unstable
#include "answer/without_ties.cuh"

template <bool kOwnIsRight>
__device__ bool stands_before(std::uint32_t other, std::uint32_t own) {
  return other < own || (!kOwnIsRight && other == own);
}
