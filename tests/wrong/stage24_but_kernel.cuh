// SPDX-License-Identifier: MIT
// The answer of stage 24, but its kernel: the launch, which takes the multiply_rows of the file that includes this, and
// what the answer's kernel calls.
#include "workbook/gemv.h"

template <typename Vector, unsigned kRows>
__global__ void multiply_rows(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                              workbook::GemvWorkspace workspace);

// Renames the answer's definition, and not its launch: there no parenthesis follows the name.
#define multiply_rows(...) right_multiply_rows(__VA_ARGS__)
#include "../../answers/stage24/solution.cu"
#undef multiply_rows
