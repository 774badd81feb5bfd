// refused: wrong-result: a key comes behind those of the lanes after it, and equal digits change their order
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-order
#include "workbook/sort.h"

struct Wrong {};
template <unsigned kKeys>
__device__ void place_keys(Wrong, const std::uint32_t (&keys)[kKeys], unsigned (&places)[kKeys], unsigned* next,
                           std::uint32_t* sorted, unsigned pass);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define place_keys(...) place_keys(Wrong(), __VA_ARGS__)
#include "../stage36_answer.cuh"
#undef place_keys

template <unsigned kKeys>
__device__ void place_keys(Wrong, const std::uint32_t (&keys)[kKeys], unsigned (&places)[kKeys], unsigned* next,
                           std::uint32_t* sorted, unsigned pass) {
  for (unsigned i = 0; i < kKeys; ++i) {
    const unsigned digit = digit_of(keys[i], pass);
    const unsigned lanes = lanes_with(digit);
    const unsigned before = __popc(lanes & ~lanes_before()) - 1;
    const unsigned first = next[digit];
    __syncwarp();
    if (before == 0) {
      next[digit] = first + __popc(lanes);
    }
    __syncwarp();
    places[i] = first + before;
    sorted[places[i]] = keys[i];
  }
}
