// SPDX-License-Identifier: MIT
// The answer of stage 34, but its search: the file that includes this brings its own.
#include "workbook/student/block_sort.h"

template <bool kOwnIsRight, typename Number, typename Ordinal>
__device__ Number count_before(Ordinal ordinal, Number size, std::uint32_t own);

// Renames the answer's definition, and not its calls: there no parenthesis follows the name.
#define count_before(...) right_count_before(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef count_before
