// refused: out-of-bounds: a sample that is in no bin is counted behind the bins
// SPDX-License-Identifier: MIT
// shown by: --data edges
// hint: outside-shared
#include "answer/right.cuh"

using namespace right;

#define IS_COUNTED(bin) true
#include "answer/kernel.cuh"
