// refused: wrong-result: only two parts are made, 16 bits of the 24
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: last-bits
#include "../stage38_but_split.cuh"

__device__ void split(Pair (&parts)[3], float first, float second) {
  right_split(parts, first, second);
  parts[2] = 0;
}
