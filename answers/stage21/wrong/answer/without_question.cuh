// SPDX-License-Identifier: MIT
// The answer of stage 21, but the question which of the two kernels it is: the launch takes the is_whole of the file
// that includes this, and the kernels that are there.
#include "linked_answer.cuh"

using right::multiply_pipelined;
template <class Tile>
bool is_whole(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, const workbook::Matrix& c);

// Renames the answer's definitions, and not its calls: there no parenthesis follows the name.
#define multiply_pipelined(...) second_multiply_pipelined(__VA_ARGS__)
#define is_whole(...) right_is_whole(__VA_ARGS__)
#include "../../solution.cu"
#undef multiply_pipelined
#undef is_whole
