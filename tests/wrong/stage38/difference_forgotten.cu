// refused: wrong-result: both parts are the number itself
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: high-parts
#include "../stage38_right.cuh"

__device__ void split(Pair& high, Pair& low, float first, float second) { high = low = pair_of(first, second); }

#include "../stage38_launch.cuh"
