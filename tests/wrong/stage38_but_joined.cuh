// SPDX-License-Identifier: MIT
// The answer of stage 38, but how a lane's two sums are put together: it takes the joined of the file that includes
// this.
#include "workbook/matmul_split.h"

__device__ float joined(float of_large, float of_small);

// Renames the answer's definition, and not its calls: there the first argument is another word.
#define JOINED_float right_joined(float
#define JOINED_of_large joined(of_large
#define joined(first, ...) JOINED_##first, __VA_ARGS__)
#include "../../answers/stage38/solution.cu"
#undef joined
#undef JOINED_of_large
#undef JOINED_float
