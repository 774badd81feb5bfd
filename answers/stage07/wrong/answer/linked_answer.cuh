// SPDX-License-Identifier: MIT
// The answer of stage 07, compiled once for all of its wrong kernels. Each function that a file may replace is a
// template argument of the kernel that calls it. The answer launches what the pointer with the kernel's name points to
// (launch_linked_answer.cuh).
#pragma once
#include "workbook/student/reduction.h"

namespace right {
void (*reduce_in_one_pass)(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket);

// Makes a template of the answer's definition. It leaves the launch alone, as no parenthesis follows the name there.
// What the answer has before the name becomes part of a function without a definition. So the launch bounds are here
// again.
#define reduce_in_one_pass(...)                                            \
  unused();                                                                \
  template <auto* sum_of_block, auto* sum_of_thread, auto* combine_blocks> \
  __global__ void __launch_bounds__(1024) reduce_with(__VA_ARGS__)
#include "../../solution.cu"
#undef reduce_in_one_pass
}  // namespace right

using namespace right;
