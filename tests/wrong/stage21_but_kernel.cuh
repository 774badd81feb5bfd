// SPDX-License-Identifier: MIT
// The answer of stage 21, but its kernel: the launch, which takes the multiply_pipelined of the file that includes
// this, and what the answer's kernel calls.
#include "workbook/matmul.h"

template <unsigned kDown, unsigned kAcross, bool kWhole>
__global__ void multiply_pipelined(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                   unsigned tiles_down, unsigned tiles_across);

// Renames the answer's definition, and not its launch: there no parenthesis follows the name.
#define multiply_pipelined(...) right_multiply_pipelined(__VA_ARGS__)
#include "../../answers/stage21/solution.cu"
#undef multiply_pipelined
