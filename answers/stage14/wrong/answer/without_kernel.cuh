// SPDX-License-Identifier: MIT
// The answer of stage 14, but its kernel: the host step, which launches the transpose_tiles of the file that includes
// this.
#include "workbook/student/matrix.h"

__global__ void transpose_tiles(workbook::ConstMatrix input, workbook::Matrix output, unsigned tiles_down);

// Renames the answer's definition, and not its launch: there no parenthesis follows the name.
#define transpose_tiles(...) right_transpose_tiles(__VA_ARGS__)
#include "../../solution.cu"
#undef transpose_tiles
