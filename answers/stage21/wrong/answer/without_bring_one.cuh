// SPDX-License-Identifier: MIT
// The answer of stage 21 without the copy of one number: it takes the bring_one of the including file.
#include "workbook/student/matmul.h"

template <bool kWhole>
__device__ void bring_one(float* to, const float* from, bool exists);

// Renames the answer's definition. It leaves its calls alone, as `<kWhole>` follows the name there.
#define bring_one(...) right_bring_one(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef bring_one
