// refused: wrong-result: the two numbers of a pair have changed places: columns of B, but terms of A as well
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: bits-lost
#include "../stage38_but_split.cuh"

__device__ void split(Pair (&parts)[3], float first, float second) { right_split(parts, second, first); }
