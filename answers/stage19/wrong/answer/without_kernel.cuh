// SPDX-License-Identifier: MIT
// The answer of stage 19 without its kernel. Its host step launches the multiply_squares of the including file.
#include "workbook/student/matmul.h"

template <unsigned T>
__global__ void multiply_squares(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                 unsigned tiles_across);

// Renames the answer's definition. It leaves its launch alone, as no parenthesis follows the name there.
#define multiply_squares(...) right_multiply_squares(__VA_ARGS__)
#include "../../solution.cu"
#undef multiply_squares
