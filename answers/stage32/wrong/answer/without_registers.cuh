// SPDX-License-Identifier: MIT
// The answer of stage 32 without its step in registers: the including file has its own.
#include "workbook/student/sort.h"

template <unsigned kDistance, bool kMirrored, unsigned kElements, typename Element>
__device__ void step_in_registers(Element (&elements)[kElements]);

// Renames the answer's definition. It leaves its calls alone, as no parenthesis follows the name there.
#define step_in_registers(...) right_step_in_registers(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef step_in_registers
