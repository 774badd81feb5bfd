// refused: wrong-result: in a mirrored step an element changes before the other lane has got it: keys are lost
// SPDX-License-Identifier: MIT
// shown by: --size 33 --block-size 1024
// hint: sort-unwritten
#include "answer/without_lanes.cuh"

template <unsigned kLanes, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_between_lanes(Element (&elements)[kElements]) {
  const bool is_lower = (threadIdx.x & kLanes) == 0;
  for (unsigned r = 0; r < kElements; ++r) {
    const Element other =
        __shfl_xor_sync(0xffffffffu, elements[kMirrored ? kElements - 1 - r : r], partner_of(0, kLanes, kMirrored));
    elements[r] = is_lower ? min(elements[r], other) : max(elements[r], other);
  }
}
