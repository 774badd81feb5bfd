// refused: wrong-result: each block divides by the sum of its own part
// SPDX-License-Identifier: MIT
// shown by: --size 2x4096 --block-size 64 --values equal
// hint: row-other-parts
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_state_of_parts(RowState state, Word*, unsigned, unsigned) { return state; }

#define STATE_OF_PARTS wrong_state_of_parts
#include "answer/kernel.cuh"
