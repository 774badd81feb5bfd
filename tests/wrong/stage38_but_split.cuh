// SPDX-License-Identifier: MIT
// The answer of stage 38, but how a number is split: it takes the split of the file that includes this.
#include "workbook/matmul_split.h"

using Pair = unsigned;
__device__ void split(Pair& high, Pair& low, float first, float second);

// Renames the answer's definition, and not its call: there the first argument is another word.
#define SPLIT_Pair right_split(Pair
#define SPLIT_high split(high
#define split(to, ...) SPLIT_##to, __VA_ARGS__)
#include "../../answers/stage38/solution.cu"
#undef split
#undef SPLIT_high
#undef SPLIT_Pair
