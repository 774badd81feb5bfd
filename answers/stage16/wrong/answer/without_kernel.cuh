// SPDX-License-Identifier: MIT
// The answer of stage 16, but its kernel: the host step, which launches the transpose_squares of the file that includes
// this.
#include "workbook/student/matrix.h"

struct Tiles;
__global__ void transpose_squares(workbook::ConstMatrix input, workbook::Matrix output, Tiles tiles, bool aligned);

// Renames the answer's definition, and not its launch: there no parenthesis follows the name.
#define transpose_squares(...) right_transpose_squares(__VA_ARGS__)
#include "../../solution.cu"
#undef transpose_squares
