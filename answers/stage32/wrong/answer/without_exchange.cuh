// SPDX-License-Identifier: MIT
// The answer of stage 32, but its exchange through shared memory: the file that includes this brings its own.
#include "workbook/student/sort.h"

struct View;

template <unsigned kElements, typename Element>
__device__ void exchange(Element (&elements)[kElements], std::uint32_t* words, View from, View lower, View upper);

// Renames the answer's definition, and not its calls: there no parenthesis follows the name.
#define exchange(...) right_exchange(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef exchange
