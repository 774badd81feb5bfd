// SPDX-License-Identifier: MIT
// The answer of stage 21, but the question which of the two kernels it is: the launch takes the is_whole of the file
// that includes this.
#include "workbook/matmul.h"

template <class Tile>
bool is_whole(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, const workbook::Matrix& c);

// Renames the answer's definition, and not its call: there `<Tile>` follows the name.
#define is_whole(...) right_is_whole(__VA_ARGS__)
#include "../../answers/stage21/solution.cu"
#undef is_whole
