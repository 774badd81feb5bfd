// SPDX-License-Identifier: MIT
// The answer of stage 17 without its kernel. Its host step launches the multiply_elements of the including file.
#include "workbook/student/matmul.h"

__global__ void multiply_elements(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                  unsigned tiles_across);

// Renames the answer's definition. It leaves its launch alone, as no parenthesis follows the name there.
#define multiply_elements(...) right_multiply_elements(__VA_ARGS__)
#include "../../solution.cu"
#undef multiply_elements
