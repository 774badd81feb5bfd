// SPDX-License-Identifier: MIT
// The answer of stage 07, once for all of its wrong kernels. What such a file may replace is a template argument of the
// kernel that calls it, and launched is what the pointer with the kernel's name points to: see
// launch_linked_answer.cuh.
#pragma once
#include "workbook/student/reduction.h"

namespace right {
void (*reduce_in_one_pass)(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket);

// Makes a template of the answer's definition, and leaves its launch alone: there no parenthesis follows the name. What
// the answer has before the name becomes that of a function which nobody defines, so the bounds stand here again.
#define reduce_in_one_pass(...)                                            \
  unused();                                                                \
  template <auto* sum_of_block, auto* sum_of_thread, auto* combine_blocks> \
  __global__ void __launch_bounds__(1024) reduce_with(__VA_ARGS__)
#include "../../solution.cu"
#undef reduce_in_one_pass
}  // namespace right

using namespace right;
