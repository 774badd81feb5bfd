// refused: wrong-result: a row whose numbers are all far below 0 has the maximum 0, and the sum 0
// SPDX-License-Identifier: MIT
// shown by: --size 3x32 --values rising
// hint: row-first-maximum
#include "answer/right.cuh"

using namespace right;

__device__ RowState wrong_nothing() { return {0.0f, 0.0f}; }

#define NOTHING wrong_nothing
#include "answer/kernel.cuh"
