// refused: wrong-result: the keys of two partners change places, and their values do not
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --values places --block-size 1024
// hint: sort-value
#define WRONG_ELEMENT Pair
#include "answer/without_registers.cuh"

template <unsigned kDistance, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_in_registers(Element (&elements)[kElements]) {
  for (unsigned r = 0; r < kElements; ++r) {
    const unsigned partner = partner_of(r, kDistance, kMirrored);
    if (r < partner && elements[partner] < elements[r]) {
      constexpr Element kKey =
          sizeof(Element) == sizeof(Pair) ? ~Element{0} << (8 * sizeof(Element) - 32) : ~Element{0};
      const Element difference = (elements[r] ^ elements[partner]) & kKey;
      elements[r] ^= difference;
      elements[partner] ^= difference;
    }
  }
}
