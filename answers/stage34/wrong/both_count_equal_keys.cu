// refused: wrong-result: both runs count equal keys, too: each stands behind the other, and places stay empty
// SPDX-License-Identifier: MIT
// shown by: --size 8192 --distribution two --block-size 256
// hint: two-keys-one-place
#include "answer/without_ties.cuh"

template <bool kOwnIsRight>
__device__ bool stands_before(std::uint32_t other, std::uint32_t own) {
  return other <= own;
}
