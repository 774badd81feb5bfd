// SPDX-License-Identifier: MIT
// The answer of stage 34 without its order of two keys: the including file has its own.
#include "workbook/student/block_sort.h"

template <bool kOwnIsRight>
__device__ bool stands_before(std::uint32_t other, std::uint32_t own);

// Renames the answer's definition. It leaves its calls alone, as no parenthesis follows the name there.
#define stands_before(...) right_stands_before(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef stands_before
