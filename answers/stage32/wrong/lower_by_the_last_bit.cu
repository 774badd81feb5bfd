// refused: wrong-result: which lane keeps the smaller ones is asked of its last bit, whatever the distance
// SPDX-License-Identifier: MIT
// shown by: --size 64 --block-size 1024
// hint: sort-unwritten
#include "answer/without_lanes.cuh"

template <unsigned kLanes, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_between_lanes(Element (&elements)[kElements]) {
  const bool is_lower = threadIdx.x % 2 == 0;
  Element others[kElements];
  for (unsigned r = 0; r < kElements; ++r) {
    others[r] =
        __shfl_xor_sync(0xffffffffu, elements[kMirrored ? kElements - 1 - r : r], partner_of(0, kLanes, kMirrored));
  }
  for (unsigned r = 0; r < kElements; ++r) {
    elements[r] = is_lower ? min(elements[r], others[r]) : max(elements[r], others[r]);
  }
}
