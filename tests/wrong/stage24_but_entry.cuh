// SPDX-License-Identifier: MIT
// The answer of stage 24, but its entry, which the file that includes this defines.
#include "workbook/gemv.h"

#define multiply_vector_on_device right_multiply_vector_on_device
#include "../../answers/stage24/solution.cu"
#undef multiply_vector_on_device
