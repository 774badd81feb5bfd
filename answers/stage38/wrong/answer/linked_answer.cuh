// SPDX-License-Identifier: MIT
// The answer of stage 38, compiled once for all of its wrong kernels. Each function that a file may replace is a
// template argument of the kernel that calls it. The answer launches what the pointers with the kernels' names point to
// (launch_linked_answer.cuh).
#pragma once
#include "parts.cuh"
#include "pieces.cuh"
#include "plan.cuh"
#include "scale.cuh"
#include "workbook/student/matmul_split.h"

namespace right {
void (*split_all)(Factor a, Factor b, BlocksOfFactors blocks);
void (*multiply_parts)(Factor a, Factor b, Plan plan, float* partials);
void (*finish)(Factor a, Factor b, workbook::Matrix c, Plan plan, const float* partials);

// These macros make templates of the answer's definitions. They leave the launches alone, as no parenthesis follows the
// name there. What the answer has before the name becomes part of a function without a definition. So the launch bounds
// are here again.
#define TEMPLATE(kind, name, ...) \
  unused_##name();                \
  template <__VA_ARGS__>          \
  kind name
#define BOUNDED(...) __global__ void __launch_bounds__(__VA_ARGS__)
#define split_all(...) TEMPLATE(BOUNDED(kThreads), split_all_with, auto* split, auto* is_split)(__VA_ARGS__)
#define multiply_parts(...) \
  TEMPLATE(BOUNDED(kThreads, kBlocksAnSm), multiply_parts_with, auto* add_products, auto* joined)(__VA_ARGS__)
#define finish(...) TEMPLATE(BOUNDED(kThreads), finish_with, auto* unscaled, auto* is_lost)(__VA_ARGS__)
// The second calls this one: there the first argument is another word.
#define ROUND_Sums TEMPLATE(__device__ void, add_round_with, auto* add_products)(Sums
#define ROUND_large add_round_with<add_products>(large
#define add_round(first, ...) ROUND_##first, __VA_ARGS__)
#include "../../solution.cu"
#undef TEMPLATE
#undef BOUNDED
#undef split_all
#undef multiply_parts
#undef finish
#undef add_round
#undef ROUND_large
#undef ROUND_Sums

// sums += a * b, of all pieces and both halves.
__device__ void add_all(ColumnSums& sums, const Fragment (&a)[kRows], const Fragment& b) {
#pragma unroll
  for (unsigned i = 0; i < kRows; ++i) {
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) multiply_add(sums[i][half], a[i], b, half);
  }
}

// The sums of one step, from 0 on, in float.
__device__ void add_rounded(ColumnSums& sums, const Fragment (&a)[kRows], const Fragment& b) {
  ColumnSums of_step = {};
  add_all(of_step, a, b);
#pragma unroll
  for (unsigned s = 0; s < kRows * 8; ++s) sums[s / 8][s / 4 % 2][s % 4] += of_step[s / 8][s / 4 % 2][s % 4];
}
}  // namespace right

using namespace right;
