// SPDX-License-Identifier: MIT
// The answer of stage 23, once for all of its wrong kernels that choose other work for it.
#pragma once
#include "workbook/gemm.h"

namespace right {
#include "stage23_answer.cuh"
}  // namespace right
