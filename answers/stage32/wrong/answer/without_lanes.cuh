// SPDX-License-Identifier: MIT
// The answer of stage 32 without its step between lanes: the including file has its own.
#include "workbook/student/sort.h"

template <unsigned kLanes, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_between_lanes(Element (&elements)[kElements]);

// Renames the answer's definition. It leaves its calls alone, as no parenthesis follows the name there.
#define step_between_lanes(...) right_step_between_lanes(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef step_between_lanes
