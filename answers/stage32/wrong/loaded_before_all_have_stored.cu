// refused: race: a thread loads what another warp has not stored yet
// SPDX-License-Identifier: MIT
// shown by: --size 600 --block-size 1024
// hint: race-in-block
#include "answer/without_exchange.cuh"

template <unsigned kElements, typename Element>
__device__ void exchange(Element (&elements)[kElements], std::uint32_t* words, View from, View lower, View upper) {
  for (unsigned bit = 0; bit < 8 * sizeof(Element); bit += 32) {
    __syncthreads();
    for (unsigned r = 0; r < kElements; ++r) {
      words[from.word(r)] = static_cast<std::uint32_t>(elements[r] >> bit);
    }
    for (unsigned r = 0; r < kElements; ++r) {
      const Element word = words[r < kElements / 2 ? lower.word(r) : upper.word(r)];
      elements[r] = (elements[r] & ~(Element{0xffffffffu} << bit)) | word << bit;
    }
  }
}
