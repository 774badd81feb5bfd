// refused: wrong-result: what is left of the second number is taken from the first
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: bits-lost
#include "../stage38_but_split.cuh"

__device__ void split(Pair (&parts)[3], float first, float second) {
#pragma unroll
  for (unsigned part = 0; part < kParts; ++part) {
    parts[part] = pair_of(first, second);
    first -= value_of_first(parts[part]);
    second = first;
  }
}
