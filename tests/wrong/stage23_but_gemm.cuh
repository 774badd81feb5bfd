// SPDX-License-Identifier: MIT
// The answer of stage 23, but its last function: gemm_on_device is that of the file that includes this.
#include "workbook/gemm.h"

#define gemm_on_device(...) right_gemm_on_device(__VA_ARGS__)
#include "stage23_answer.cuh"
#undef gemm_on_device
