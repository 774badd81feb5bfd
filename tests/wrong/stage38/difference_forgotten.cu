// refused: wrong-result: all three parts are the number itself
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: bits-lost
#include "../stage38_but_split.cuh"

__device__ void split(Pair (&parts)[3], float first, float second) {
  for (Pair& part : parts) part = pair_of(first, second);
}
