// SPDX-License-Identifier: MIT
// The answer of stage 32 without its merges: the including file has its own.
#include "workbook/student/sort.h"

template <unsigned kSize, bool kGaps, unsigned kElements, typename Element>
__device__ void merge_runs(Element (&elements)[kElements], std::uint32_t* words, unsigned size);

// Renames the answer's definition. It leaves its calls alone, as no parenthesis follows the name there.
#define merge_runs(...) right_merge_runs(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef merge_runs
