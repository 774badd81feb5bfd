// refused: wrong-result: both runs count smaller keys only: equal keys go to the same place, and one of them is lost
// SPDX-License-Identifier: MIT
// shown by: --size 8192 --distribution two --block-size 256
// hint: two-keys-one-place
#include "answer/without_ties.cuh"

template <bool kOwnIsRight>
__device__ bool stands_before(std::uint32_t other, std::uint32_t own) {
  return other < own;
}
