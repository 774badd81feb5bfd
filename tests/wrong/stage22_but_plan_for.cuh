// SPDX-License-Identifier: MIT
// The answer of stage 22, but how the line is cut: it takes the plan_for of the file that includes this.
#include "workbook/gemm.h"

struct Plan;
template <class Form>
Plan plan_for(const workbook::Matrix& c, std::size_t terms, std::size_t room, std::size_t multiprocessors);

// Renames the answer's definition, and not its calls: there the form follows the name.
#define plan_for(...) right_plan_for(__VA_ARGS__)
#include "stage22_answer.cuh"
#undef plan_for
