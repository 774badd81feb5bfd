// SPDX-License-Identifier: MIT
// The answer of stage 34, but which of two keys stands before the other: the file that includes this brings its own.
#include "workbook/student/block_sort.h"

template <bool kOwnIsRight>
__device__ bool stands_before(std::uint32_t other, std::uint32_t own);

// Renames the answer's definition, and not its calls: there no parenthesis follows the name.
#define stands_before(...) right_stands_before(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef stands_before
