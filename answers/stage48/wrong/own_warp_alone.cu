// refused: wrong-result: each warp divides by its own sum
// SPDX-License-Identifier: MIT
// shown by: --size 3x2048 --values equal
// hint: row-other-warps
#include "answer/right.cuh"

using namespace right;

#define STATE_OF_BLOCK state_of_warp
#include "answer/kernel.cuh"
