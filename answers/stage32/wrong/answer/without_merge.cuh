// SPDX-License-Identifier: MIT
// The answer of stage 32, but its merges: the file that includes this brings its own.
#include "workbook/student/sort.h"

template <unsigned kSize, unsigned kElements, typename Element>
__device__ void merge_runs(Element (&elements)[kElements], std::uint32_t* words, unsigned size);

// Renames the answer's definition, and not its calls: there no parenthesis follows the name.
#define merge_runs(...) right_merge_runs(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef merge_runs
