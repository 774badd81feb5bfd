// refused: race: the next tile's k-tiles come while others still store this one's sums
// SPDX-License-Identifier: MIT
// shown by: --size 32x150x1300
// hint: race-in-block
#define BARRIER
#include "answer/multiply_share_but.cuh"
