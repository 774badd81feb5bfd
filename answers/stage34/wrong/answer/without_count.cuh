// SPDX-License-Identifier: MIT
// The answer of stage 34 without its search: the including file has its own.
#include "workbook/student/block_sort.h"

template <bool kOwnIsRight, typename Number, typename Ordinal>
__device__ Number count_before(Ordinal ordinal, Number size, std::uint32_t own);

// Renames the answer's definition. It leaves its calls alone, as no parenthesis follows the name there.
#define count_before(...) right_count_before(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef count_before
