// refused: out-of-bounds: next[digit] goes forward by one, however many lanes have this digit: keys write over keys
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: shared-not-written
#include "answer/linked_answer.cuh"

template <unsigned kKeys>
__device__ void place_keys(const std::uint32_t (&keys)[kKeys], unsigned (&places)[kKeys], unsigned* next,
                           std::uint32_t* sorted, unsigned pass) {
  for (unsigned i = 0; i < kKeys; ++i) {
    const unsigned digit = digit_of(keys[i], pass);
    const unsigned lanes = lanes_with(digit);
    const unsigned before = __popc(lanes & lanes_before());
    const unsigned first = next[digit];
    __syncwarp();
    if (before == 0) {
      next[digit] = first + 1;
    }
    __syncwarp();
    places[i] = first + before;
    sorted[places[i]] = keys[i];
  }
}

#include "answer/launch_linked_answer.cuh"
